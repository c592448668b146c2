import { compare } from '../../../base/collections.ts';
import type { Edge, SeenSchema } from '../../graph/claim-writer.ts';
import type { Derivation } from '../../graph/derivation.ts';
import { contentDigest, type Urn } from '../../graph/node.ts';
import { eventOrder, joinedSpans, microsOfEventTime, type Order, type Span } from '../../graph/order.ts';
import {
  type Contribution,
  datasetLineageStatementOf,
  type Lifecycle,
  type LineageStatement,
  lineageStatementOf,
} from './contribution.ts';
import { derivationsOf, type MergedLineage, readsOf } from './derive.ts';
import type { DatasetEvent, JobEvent } from './event.ts';
import type { Resolve } from './event-names.ts';
import type { StatedSchemas } from './facets.ts';
import type { InputMapping } from './input-mapping.ts';
import { datasetScopeKey, jobScopeKey } from './job-scopes.ts';
import { openUnder } from './open-columns.ts';
import type { RunLineage, RunRecord, RunRecords } from './run-store.ts';
import { exceedsMaxPairs } from './validate.ts';

/** A function of the set of events, whatever their order: the newer facet counts, by time and then by digest. */
export function runOf(record: RunRecords, location: string): RunLineage {
  const all = [...record].sort(byTime).map(([, one]) => one);
  const completed = all.findLast(({ content }) => content.eventType === 'COMPLETE')?.last;
  // What a run reports of its failure after it has completed adds nothing (C-OPENLINEAGE-11).
  const records = all.filter((one) => completed === undefined || one.last <= completed || !hasFailed(one));
  const [first, ...more] = records.map(({ content }) => content);
  const observed = observedSpan(records);
  if (!first || !observed) {
    const unfinished = all.some(hasFailed) ? [] : relationsNamed(records);
    return { ...nothing, unfinished, possible: () => (first ? possibleEdges([first, ...more]) : []) };
  }
  const statements = [first, ...more] as const;
  const merged = mergeStatements(statements);
  const derivations = derivationsOf(merged, location);
  return {
    observed,
    derivations,
    reads: readsOf(merged, derivations),
    schemas: schemasOf(records),
    aliases: distinctAliases(statements),
    ...lifecycleOf(records),
    unfinished: [],
    possible: () => possibleEdges(statements),
  };
}

const hasFailed = ({ content: { eventType } }: RunRecord) => eventType === 'FAIL' || eventType === 'ABORT';

function relationsNamed(records: readonly RunRecord[]): Urn[] {
  const contents = records.map(({ content }) => content);
  const sources = contents.flatMap(({ facets, targets }) =>
    [...facets, ...(targets ?? [])].flatMap((one) => [one.output, ...(one.sources ?? []).map(({ input }) => input)]),
  );
  return [...new Set([...contents.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]), ...sources])];
}

const nothing = { observed: null, derivations: [], reads: [], schemas: [], aliases: [], renames: [], drops: [] };

/** Each event says what columns there were at its own time. */
function schemasOf(records: readonly RunRecord[]): RunLineage['schemas'] {
  const found = new Map<string, RunLineage['schemas'][number]>();
  for (const { content, first, last } of records)
    for (const { node, schema } of content.described ?? []) {
      const span = { first, last };
      const known = found.get(`${node} ${schema}`) ?? span;
      found.set(`${node} ${schema}`, { node, schema, ...joinedSpans(known, span) });
    }
  return [...found.values()];
}

type Entry = readonly [string, RunRecord];

const byTime = ([a, one]: Entry, [b, other]: Entry): number => compare(one.last, other.last) || compare(a, b);

/** A run is published by COMPLETE; one of a streaming job, which may never complete, by START and RUNNING too. */
function observedSpan(records: readonly RunRecord[]): Span | null {
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

function lifecycleOf(records: readonly RunRecord[]): Pick<RunLineage, 'drops' | 'renames'> {
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

export type StaticLineage = Pick<RunLineage, 'reads' | 'aliases' | 'renames' | 'drops'> &
  Pick<StatedSchemas, 'contents'> & {
    readonly seen: readonly SeenSchema[];
    readonly scopeKey: string;
    readonly order: Order;
    /** The complete new declaration of its scope; null if the event has no lineage. */
    readonly derivations: readonly Derivation[] | null;
  };

/** Replaces the job's declaration (OpenLineage's replace semantics), unless it names no inputs, outputs or lineage. */
export function jobEventOf(event: JobEvent, resolve: Resolve, location: string): StaticLineage {
  const declares = event.inputs !== undefined || event.outputs !== undefined || event.job.facets?.lineage !== undefined;
  const stated = lineageStatementOf(event, resolve);
  return {
    ...staticMeaning({ scopeKey: jobScopeKey(event.job), eventTime: event.eventTime, declares, location }, stated),
    // What a job is designed to drop or rename is not dropped or renamed thereby.
    drops: [],
    renames: [],
  };
}

/** A DatasetEvent replaces what was declared to feed its dataset, if it has a facet that says so, or says it is gone. */
export function datasetEventOf(event: DatasetEvent, resolve: Resolve, location: string): StaticLineage {
  const { columnLineage, lineage } = event.dataset.facets ?? {};
  const declares = columnLineage !== undefined || lineage !== undefined;
  const stated = datasetLineageStatementOf(event.dataset, resolve);
  const scopeKey = datasetScopeKey(event.dataset);
  return staticMeaning({ scopeKey, eventTime: event.eventTime, declares, location }, stated);
}

type StaticEvent = {
  readonly scopeKey: string;
  readonly eventTime: string;
  /** Whether the event says anything of lineage. */
  readonly declares: boolean;
  readonly location: string;
};

function staticMeaning(
  { scopeKey, eventTime, declares, location }: StaticEvent,
  { statement: { described = [], ...statement }, contents }: ReturnType<typeof lineageStatementOf>,
): StaticLineage {
  const at = microsOfEventTime(eventTime);
  const merged = mergeStatements([statement]);
  const derivations = declares ? derivationsOf(merged, location) : null;
  return {
    scopeKey,
    order: eventOrder(at, contentDigest(JSON.stringify(statement))),
    derivations,
    reads: derivations ? readsOf(merged, derivations) : [],
    contents,
    seen: described.map((one) => ({ ...one, at })),
    aliases: statement.aliases,
    drops: [...merged.dropped].map((node) => ({ node, at })),
    renames: [...merged.previous].flatMap(([to, from]) => (from === to ? [] : [{ from, to, at }])),
  };
}

/** What statements tell together: datasets and targets add up; of a facet of one dataset the newest holds. Oldest first. */
function mergeStatements(statements: readonly [LineageStatement, ...LineageStatement[]]): MergedLineage {
  const canonical = canonicalNames(statements);
  const { lineage, columnLineage, statement } = latestFacets(statements, canonical);
  const lifecycle = [...latestLifecycle(statements, canonical).values()];
  const newest = <Key extends 'statement' | 'statementKind' | 'principal' | 'engine'>(key: Key) =>
    statements.findLast((one) => (one[key] ?? null) !== null)?.[key] ?? null;
  return {
    producer: (statements.at(-1) ?? statements[0]).producer,
    inputs: new Set(statements.flatMap(({ inputs }) => inputs.map(canonical))),
    outputs: new Set(statements.flatMap(({ outputs }) => outputs.map(canonical))),
    tested: new Set(statements.flatMap(({ tested = [] }) => tested.map(canonical))),
    targets: mergedTargets(statements, canonical),
    lineage,
    // What any event reports goes before what is read from a statement.
    columnLineage: new Map([...statement, ...columnLineage]),
    dropped: new Set(lifecycle.filter(({ change }) => change === 'DROP').map(({ node }) => node)),
    previous: new Map(
      lifecycle.flatMap(({ node, change, previous }) => (change === 'RENAME' && previous ? [[node, previous]] : [])),
    ),
    statement: newest('statement'),
    isWhole: (statements.at(-1) ?? statements[0]).isWhole ?? false,
    statementKind: newest('statementKind'),
    principal: newest('principal'),
    engine: newest('engine'),
  };
}

/** Every name that the statements know an alias of, as the newest of them calls it. */
function canonicalNames(statements: readonly LineageStatement[]): (urn: Urn) => Urn {
  const names = new Map(statements.flatMap(({ aliases }) => aliases.map(({ alias, canonical }) => [alias, canonical])));
  return (urn) => {
    const seen = new Set<Urn>();
    let name = urn;
    for (let next = names.get(name); next !== undefined && !seen.has(next); next = names.get(name)) {
      seen.add(name);
      name = next;
    }
    return name;
  };
}

function latestLifecycle<S extends LineageStatement>(
  statements: readonly S[],
  canonical: (urn: Urn) => Urn,
): Map<Urn, Lifecycle & { readonly statement: S }> {
  return new Map(
    statements.flatMap((statement) =>
      statement.lifecycle.map(({ node, change, previous }) => {
        const name = canonical(node);
        return [name, { node: name, change, previous: previous && canonical(previous), statement }];
      }),
    ),
  );
}

function latestFacets(statements: readonly LineageStatement[], canonical: (urn: Urn) => Urn) {
  const empty = () => new Map<Urn, InputMapping[]>();
  const found = { lineage: empty(), columnLineage: empty(), statement: empty() };
  for (const { output, facet, sources } of statements.flatMap(({ facets }) => facets)) {
    if (sources === null) found[facet].delete(canonical(output));
    else found[facet].set(canonical(output), sources.map(renamedBy(canonical)));
  }
  return found;
}

function mergedTargets(
  statements: readonly LineageStatement[],
  canonical: (urn: Urn) => Urn,
): Map<Urn, InputMapping[]> | null {
  if (statements.every(({ targets }) => targets === null)) return null;
  const merged = new Map<Urn, InputMapping[]>();
  for (const { output, sources } of statements.flatMap(({ targets }) => targets ?? [])) {
    const name = canonical(output);
    merged.set(name, [...(merged.get(name) ?? []), ...sources.map(renamedBy(canonical))]);
  }
  return merged;
}

const renamedBy =
  (canonical: (urn: Urn) => Urn) =>
  ({ open, ...source }: InputMapping): InputMapping => ({
    ...source,
    input: canonical(source.input),
    ...(open && { open: openUnder(open, canonical) }),
  });
