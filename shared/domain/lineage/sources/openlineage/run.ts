import { compare } from '../../../base/collections.ts';
import type { Edge, Span } from '../../graph/claim-writer.ts';
import type { Urn } from '../../graph/node.ts';
import type { RunLineage, RunRecord, RunRecords } from '../../graph/runs.ts';
import type { Contribution } from './contribution.ts';
import { derivationsOf } from './derive.ts';
import type { Job, Named } from './event.ts';
import { canonicalNames, latestLifecycle, mergeStatements } from './merge-statements.ts';
import { exceedsMaxPairs } from './validate.ts';

/**
 * What all that is known of one run means: a function of the set of its events, whatever their order of arrival.
 * Events accumulate; the time of an event, and its digest among equals, decides which of two facets is the newer.
 */
export function runOf(record: RunRecords<Contribution>, location: string): RunLineage {
  const records = [...record].sort(byTime).map(([, one]) => one);
  const [first, ...more] = records.map(({ content }) => content);
  const observed = observedSpan(records);
  if (!first || !observed) return { ...nothing, possible: () => (first ? possibleEdges([first, ...more]) : []) };
  const statements = [first, ...more] as const;
  return {
    observed,
    derivations: derivationsOf(mergeStatements(statements), location),
    schemas: schemasOf(records),
    aliases: distinctAliases(statements),
    ...lifecycleOf(records),
    possible: () => possibleEdges(statements),
  };
}

const nothing = { observed: null, derivations: [], schemas: [], aliases: [], renames: [], drops: [] };

/** Each event says what columns there were at its own time. */
function schemasOf(records: readonly RunRecord<Contribution>[]): RunLineage['schemas'] {
  const found = new Map<string, RunLineage['schemas'][number]>();
  for (const { content, first, last } of records)
    for (const { node, schema } of content.described ?? []) {
      const known = found.get(`${node} ${schema}`) ?? { node, schema, first, last };
      found.set(`${node} ${schema}`, {
        node,
        schema,
        first: [known.first, first].sort()[0] ?? first,
        last: [known.last, last].sort()[1] ?? last,
      });
    }
  return [...found.values()];
}

type Entry = readonly [string, RunRecord<Contribution>];

function byTime([a, one]: Entry, [b, other]: Entry): number {
  return compare(one.last, other.last) || compare(a, b);
}

/** A run is published by COMPLETE; one of a streaming job, which may never complete, by START and RUNNING too. */
function observedSpan(records: readonly RunRecord<Contribution>[]): Span | null {
  const streaming = records.some(({ content }) => content.streaming);
  const publishing = records.filter(
    ({ content: { eventType } }) =>
      eventType === 'COMPLETE' || (streaming && (eventType === 'START' || eventType === 'RUNNING')),
  );
  if (publishing.length === 0) return null;
  const times = publishing.flatMap(({ first, last }) => [first, last]).sort();
  const [first, last] = [times[0], times.at(-1)];
  return first !== undefined && last !== undefined ? { first, last } : null;
}

/** What the run dropped and renamed, when an event last said so. */
function lifecycleOf(records: readonly RunRecord<Contribution>[]): Pick<RunLineage, 'drops' | 'renames'> {
  const statements = records.map(({ content, last }) => ({ ...content, last }));
  const changes = [...latestLifecycle(statements, canonicalNames(statements)).values()];
  return {
    drops: changes.flatMap(({ change, node, statement }) => (change === 'DROP' ? [{ node, at: statement.last }] : [])),
    renames: changes.flatMap(({ change, node, previous, statement }) =>
      change === 'RENAME' && previous && previous !== node ? [{ from: previous, to: node, at: statement.last }] : [],
    ),
  };
}

function distinctAliases(statements: readonly Contribution[]): RunLineage['aliases'] {
  const found = new Map(
    statements.flatMap(({ aliases }) => aliases.map((one) => [`${one.alias}\n${one.canonical}`, one])),
  );
  return [...found.values()];
}

/** More than any part of the events could publish: every source of every output, under every name they have. */
function possibleEdges(statements: readonly Contribution[]): Edge[] {
  const names = canonicalNames(statements);
  const inputs = new Set(statements.flatMap((one) => one.inputs));
  const outputs = new Set(statements.flatMap((one) => one.outputs));
  const edges = new Map<string, Edge>();
  const add = (source: Urn, output: Urn) => {
    for (const from of new Set([source, names(source)])) {
      for (const to of new Set([output, names(output)])) edges.set(`${from}\n${to}`, { from, to });
    }
  };
  if (!exceedsMaxPairs(inputs.size, outputs.size)) {
    for (const output of outputs) for (const input of inputs) add(input, output);
  }
  for (const { facets, targets } of statements) {
    for (const { output, sources } of [...facets, ...(targets ?? [])]) {
      for (const { input } of sources ?? []) add(input, output);
    }
  }
  return [...edges.values()];
}

/** The event has one output of its job. Without this facet each such JobEvent would replace the ones before. */
export const jobPartKey = 'tributary_part';

export const jobPartFacet = ({ namespace, name }: Named, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:PartJobFacet:1-0-0',
  output: { namespace, name },
});

/** The only output that a job's event reports; null if it reports the whole job. */
export function jobPartOf(job: Job): Named | null {
  const facet = job.facets?.[jobPartKey];
  const output = typeof facet === 'object' && facet !== null && 'output' in facet ? facet.output : null;
  if (typeof output !== 'object' || output === null || !('namespace' in output) || !('name' in output)) return null;
  const { namespace, name } = output;
  return typeof namespace === 'string' && typeof name === 'string' ? { namespace, name } : null;
}
