import type { DeclaredOnlyReason, Verdict } from '../../../../contract/vocabulary.ts';
import { sortedBy, uuidOf } from '../../../base/collections.ts';
import { sha256 } from '../../../base/digest.ts';
import type { ColumnMapping, ColumnOption, Derivation } from '../../graph/derivation.ts';
import { type Node, nodeOf, urnOf } from '../../graph/node.ts';
import type { RelationSchema, SchemaStar } from '../../graph/schema.ts';
import type { BaseEvent, Dataset, EventType, InputField, Job, Named, OutputDataset } from './event.ts';
import { columnsFacet, columnsKey } from './facets.ts';
import { jobPartFacet, jobPartKey } from './job-scopes.ts';
import {
  openEntryOf,
  optionEntryOf,
  starEntryOf,
  type UnresolvedEntry,
  unresolvedFacet,
  unresolvedKey,
} from './open-columns.ts';

export type ExportContext = {
  readonly nameOf: (node: Node) => Named;
  /** What is known of a node's columns; null if nothing is. */
  readonly columnsOf?: (node: Node) => RelationSchema | null;
  /** What declarations and runs say of an edge; if omitted, events do not say it. */
  readonly verdictOf?: (input: Node, output: Node) => Judgement;
  /** RFC 3339: the moment that the export holds for. */
  readonly asOf: string;
  /** `run`: the same as completed runs, for consumers that know no job events. */
  readonly profile: 'job' | 'run';
};

export type ExportedDataset = BaseEvent & { readonly dataset: Dataset };

export type ExportedEvent = BaseEvent & {
  readonly eventType?: EventType;
  readonly run?: { readonly runId: string };
  readonly job: Job;
  readonly inputs: readonly Dataset[];
  readonly outputs: readonly OutputDataset[];
};

type Judgement = { readonly verdict: Verdict | null; readonly reason: DeclaredOnlyReason | null };

const producer = 'urn:tributary:lineage-export';
const specification = 'https://openlineage.io/spec';

/** An event a job and downstream dataset, since inputs feed all outputs. In order of first occurrence, then by name. */
export function exportEvents(context: ExportContext, derivations: readonly Derivation[]): ExportedEvent[] {
  const groups = Map.groupBy(derivations, ({ producer: { namespace, name }, output }) =>
    JSON.stringify([namespace, name, urnOf(output)]),
  );
  return [...groups.values()].flatMap((group) => exportGroup(context, group));
}

/** A relation without edges, for consumers that know such events: their `run` profile has none. */
export const exportDataset = (context: ExportContext, node: Node): ExportedDataset => ({
  ...{ eventTime: context.asOf, producer, schemaURL: schemaURL('DatasetEvent') },
  dataset: withSchema(context, node),
});

/** What a job reads that reports no output. */
export function exportReading(context: ExportContext, { namespace, name }: Named, node: Node): ExportedEvent {
  const input = context.nameOf(node);
  return {
    ...head(context, JSON.stringify([namespace, name, input, 'read'])),
    job: { namespace, name, facets: { [jobPartKey]: jobPartFacet('input', input, producer) } },
    inputs: [withSchema(context, node)],
    outputs: [],
  };
}

function exportGroup(context: ExportContext, group: readonly Derivation[]): ExportedEvent[] {
  const inputs = new Map(group.flatMap((derivation) => derivation.inputs.map((input) => [urnOf(input), input])));
  const [first] = group;
  if (!first) return [];
  const output = context.nameOf(first.output);
  const names = new Map([...inputs].map(([urn, input]) => [urn, context.nameOf(input)]));
  const named = (node: Node) => names.get(urnOf(node));
  const facets = {
    ...columnLineageFacet(
      group.flatMap(({ columns }) => columns),
      named,
    ),
    ...unresolvedFacetOf(context, group, named),
    ...schemaFacet(context, first.output),
  };
  const { namespace, name } = first.producer;
  const event = {
    ...head(context, JSON.stringify([namespace, name, output])),
    job: { namespace, name, facets: { [jobPartKey]: jobPartFacet('output', output, producer) } },
    inputs: byKey(inputs).map(([, input]) => ({
      ...withSchema(context, input),
      ...judged(context, input, first.output),
    })),
    outputs: [{ ...output, ...(Object.keys(facets).length > 0 && { facets }) }],
  };
  return [event];
}

const byKey = <T>(entries: Iterable<readonly [string, T]>) => sortedBy(entries, ([key]) => key);

// Consumers choose the kind of event by the end of this URL.
const schemaURL = (kind: string) => `${specification}/2-0-2/OpenLineage.json#/$defs/${kind}`;

function head({ asOf, profile }: ExportContext, about: string): Omit<ExportedEvent, 'job' | 'inputs' | 'outputs'> {
  if (profile === 'job') return { eventTime: asOf, producer, schemaURL: schemaURL('JobEvent') };
  return {
    eventTime: asOf,
    producer,
    schemaURL: schemaURL('RunEvent'),
    eventType: 'COMPLETE',
    run: { runId: uuidOf(sha256(`${asOf}\n${about}`)) },
  };
}

const withSchema = (context: ExportContext, node: Node): Dataset => {
  const facets = schemaFacet(context, node);
  return { ...context.nameOf(node), ...(facets && { facets }) };
};

export const verdictKey = 'tributary_verdict';

/** The verdict of an edge, which is one of the event's input for its only output (C-EXPORT-7). */
function judged({ verdictOf }: ExportContext, input: Node, output: Node) {
  const { verdict, reason } = verdictOf?.(input, output) ?? { verdict: null, reason: null };
  if (verdict === null) return {};
  const _schemaURL = 'urn:tributary:facets:VerdictInputDatasetFacet:1-0-0';
  return { inputFacets: { [verdictKey]: { _producer: producer, _schemaURL, verdict, ...(reason && { reason }) } } };
}

/** SchemaDatasetFacet 1-1-1 where all columns are known. */
function schemaFacet({ columnsOf, nameOf }: ExportContext, node: Node) {
  const known = columnsOf?.(node) ?? null;
  if (known === null) return null;
  const { columns } = known;
  const stars = known.stars.map((star) => starEntryOf(nameOf(nodeOf(star.of)), star));
  if (!known.complete || stars.length > 0) {
    const complete = known.complete && stars.every((star) => star !== null);
    const listed = { columns, stars: stars.flatMap((star) => star ?? []), complete };
    return { [columnsKey]: columnsFacet(listed, producer) };
  }
  return {
    schema: {
      _producer: producer,
      _schemaURL: `${specification}/facets/1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet`,
      fields: columns.map(({ name, type }) => ({ name, ...(type !== null && { type }) })),
    },
  };
}

/** What the group leaves open, by input. */
function unresolvedFacetOf(
  context: ExportContext,
  group: readonly Derivation[],
  nameOf: (node: Node) => Named | undefined,
) {
  const starEntry = (star: SchemaStar) => starEntryOf(context.nameOf(nodeOf(star.of)), star);
  const optionEntry = (option: ColumnOption) => optionEntryOf(context.nameOf(nodeOf(option.of)), option);
  const entries = group.flatMap(({ inputs, unresolved }) =>
    inputs.flatMap((input) => {
      const name = nameOf(input);
      if (!name) return [];
      return unresolved.map(({ outputColumn, reason, type, open }): [string, UnresolvedEntry] => {
        const openEntry = open ? openEntryOf(open, starEntry, optionEntry) : null;
        const field = outputColumn !== null && { field: outputColumn };
        const rows = type === 'INDIRECT' && { type };
        const entry = { ...name, ...field, reason, ...rows, ...(openEntry && { open: openEntry }) };
        return [JSON.stringify(entry), entry];
      });
    }),
  );
  if (entries.length === 0) return null;
  const distinct = byKey(new Map(entries)).map(([, entry]) => entry);
  return { [unresolvedKey]: unresolvedFacet(distinct, producer) };
}

function columnLineageFacet(columns: readonly ColumnMapping[], nameOf: (node: Node) => Named | undefined) {
  const named = columns.flatMap((mapping) => {
    const input = nameOf(mapping.input);
    return input ? [{ ...mapping, input }] : [];
  });
  if (named.length === 0) return null;
  const byOutput = Map.groupBy(named, ({ outputColumn }) => outputColumn);
  const wide = inputFields(byOutput.get(null) ?? []);
  const fields = [...byOutput].flatMap(([column, mappings]) =>
    column === null ? [] : [[column, { inputFields: inputFields(mappings) }] as const],
  );
  return {
    columnLineage: {
      _producer: producer,
      _schemaURL: `${specification}/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet`,
      fields: Object.fromEntries(byKey(fields)),
      ...(wide.length > 0 && { dataset: wide }),
    },
  };
}

type NamedMapping = Omit<ColumnMapping, 'input'> & { readonly input: Named };

/** One entry per input column, with all its uses. */
function inputFields(mappings: readonly NamedMapping[]): InputField[] {
  const byColumn = Map.groupBy(mappings, ({ input: { namespace, name }, inputColumn }) =>
    JSON.stringify([namespace, name, inputColumn]),
  );
  return byKey(byColumn).flatMap(([, ways]) => {
    const [first] = ways;
    if (!first) return [];
    const transformations = ways.map(({ type, subtype, expression, masking }) => ({
      type,
      ...(subtype !== null && { subtype }),
      ...(expression !== undefined && { description: expression }),
      masking,
    }));
    const distinct = new Map(transformations.map((one) => [JSON.stringify(one), one]));
    const { namespace, name } = first.input;
    return [{ namespace, name, field: first.inputColumn, transformations: byKey(distinct).map(([, one]) => one) }];
  });
}
