import { parseNamespace } from '../../identity/namespace.ts';
import { splitName } from '../../identity/relation-ref.ts';
import { dialectNamed, type SqlDialect } from '../../sql/dialect.ts';
import type { ColumnSource, OutputColumn, RelationName, SqlAnalysis, SqlOptions } from '../../sql/types.ts';
import type { ColumnLineageFacet, Dataset, InputField, JobEvent, Named, OutputDataset, RunEvent } from './event.ts';
import { isTombstone } from './facets.ts';
import { datasetRead, listOfColumns, openColumns, type ReadDataset } from './statement-facets.ts';

type IOEvent = RunEvent | JobEvent;
type Analyse = (sql: string, options: SqlOptions) => SqlAnalysis;

/** An event with one output whose columns its own statement may tell. */
type Unsettled = {
  readonly output: OutputDataset;
  readonly facet: ColumnLineageFacet;
  readonly inputs: readonly Dataset[];
  readonly query: string;
  /** Whether the producer made the facet by parsing the statement, so that reading it again loses nothing. */
  readonly isParsed: boolean;
};

/** Producers whose column lineage comes from a parser of the statement alone, by the `jobType` facet. */
const parsingIntegrations: ReadonlySet<string> = new Set(['DBT']);

/** Whether a statement is there that may tell more of the columns than the event: only then is a parser worth loading. */
export const canSettle = (event: IOEvent): boolean => unsettledOf(event) !== null;

/**
 * Settles the column sources of an event by the job's own statement. A relation that the statement reads is an input,
 * also where the event left it out; any other source that is no input is a name of the statement itself (a CTE), and
 * the columns behind it take its place. Of a facet that was made by parsing the statement, every column that is
 * resolved here is replaced. What the statement does not tell stays as it was reported.
 */
export function settleColumnSources<E extends IOEvent>(analyse: Analyse, event: E): E {
  const unsettled = unsettledOf(event);
  if (!unsettled) return event;
  const analysis = analyse(unsettled.query, { dialect: dialectOf(event, unsettled), columnsOf: columnsOf(unsettled) });
  if (!analysis.reads || analysis.unresolvedReason !== null) return event;
  const reads = readDatasets(unsettled, analysis.reads);
  const fields = settledFields(unsettled, reads, analysis);
  const named = new Set(Object.values(fields).flatMap(({ inputFields }) => inputFields.map(nameOf)));
  const added = reads.filter(({ dataset }) => named.has(nameOf(dataset)) && isOutside(unsettled, dataset));
  const { output, facet, inputs } = unsettled;
  const facets = {
    ...output.facets,
    columnLineage: { ...facet, fields },
    ...openColumns(event, reads, analysis, fields),
    ...listOfColumns({ ...unsettled, producer: event.producer }, reads, analysis),
  };
  const settled = { ...output, facets };
  return { ...event, inputs: [...inputs, ...added.map(({ dataset }) => dataset)], outputs: [settled] };
}

function unsettledOf({ inputs = [], outputs = [], job }: IOEvent): Unsettled | null {
  const [output, ...others] = outputs;
  const facet = output?.facets?.columnLineage ?? {};
  const query = job.facets?.sql?.query ?? '';
  if (!output || others.length > 0 || isTombstone(facet) || query.trim() === '') return null;
  const isParsed = parsingIntegrations.has(job.facets?.jobType?.integration?.toUpperCase() ?? '');
  const unsettled = { output, facet, inputs, query, isParsed };
  return isParsed || sourcesOf(facet).some((source) => isOutside(unsettled, source)) ? unsettled : null;
}

const sourcesOf = ({ fields = {} }: ColumnLineageFacet) => Object.values(fields).flatMap((field) => field.inputFields);
const nameOf = ({ namespace, name }: Named) => JSON.stringify([namespace, name]);
const isOutside = ({ inputs, output }: Unsettled, source: Named) =>
  [...inputs, output].every((one) => nameOf(one) !== nameOf(source));

function dialectOf({ job }: IOEvent, { output }: Unsettled): SqlDialect {
  const named = job.facets?.sql?.dialect ?? parseNamespace(output.namespace).platform ?? '';
  return dialectNamed(named) ?? 'ansi';
}

/** Columns by the schema facets of the inputs; those of dbt hold what is documented, which may be a part. */
function columnsOf({ inputs, isParsed }: Unsettled): SqlOptions['columnsOf'] {
  return (read) => {
    const fields = inputs.find((input) => isNamed(input, read))?.facets?.schema?.fields;
    return fields ? { names: fields.map(({ name }) => name), complete: !isParsed } : null;
  };
}

const lowerParts = (name: string) => (splitName(name) ?? [{ text: name }]).map(({ text }) => text.toLowerCase());

/** Whether a dataset is what a statement reads: either name may leave out leading parts. */
function isNamed({ name }: Named, read: RelationName): boolean {
  const [parts, written] = [lowerParts(name), read.map(({ text }) => text.toLowerCase())];
  const length = Math.min(parts.length, written.length);
  return length > 0 && parts.slice(-length).join('\n') === written.slice(-length).join('\n');
}

/** The datasets that a statement reads: inputs, datasets that the facet names, or those of a complete name. */
function readDatasets(unsettled: Unsettled, reads: readonly RelationName[]): ReadDataset[] {
  const { inputs, facet, output } = unsettled;
  const levels = lowerParts(output.name).length;
  return reads.flatMap((read): ReadDataset[] => {
    const known = [...inputs, ...sourcesOf(facet), output].find(
      (one) => isNamed(one, read) && isAsLong(one, read, levels),
    );
    if (known) return [{ read, dataset: { namespace: known.namespace, name: known.name } }];
    if (read.length < levels) return [];
    return [{ read, dataset: { namespace: output.namespace, name: read.map(({ text }) => text).join('.') } }];
  });
}

/** A name of one part may be a CTE's that is called as the relation behind it: a complete one is not mistaken for it. */
const isAsLong = ({ name }: Named, read: RelationName, levels: number) =>
  lowerParts(name).length >= Math.min(read.length, levels);

type Fields = NonNullable<ColumnLineageFacet['fields']>;

function settledFields(unsettled: Unsettled, reads: readonly ReadDataset[], { outputs }: SqlAnalysis): Fields {
  const reported = unsettled.facet.fields ?? {};
  const known = new Set(reads.map(({ dataset }) => nameOf(dataset)));
  const isUnknown = (source: InputField) => isOutside(unsettled, source) && !known.has(nameOf(source));
  const resolved = new Map(
    outputs.flatMap((output) => {
      const sources = output.column === null ? null : inputFieldsOf(reads, output);
      return sources ? [[output.column?.toLowerCase() ?? '', { column: output.column ?? '', sources }] as const] : [];
    }),
  );
  const settled = Object.entries(reported).flatMap(([column, field]): [string, Fields[string]][] => {
    const found = resolved.get(column.toLowerCase());
    if (!found) return unsettled.isParsed && outputs.every(isNamedAndResolved) ? [] : [[column, field]];
    if (!unsettled.isParsed && !field.inputFields.some(isUnknown)) return [[column, field]];
    const kept = field.inputFields.filter((one) => !isUnknown(one) && (!unsettled.isParsed || isIndirect(one)));
    return [[column, { ...field, inputFields: [...kept, ...found.sources] }]];
  });
  const named = new Set(Object.keys(reported).map((column) => column.toLowerCase()));
  const added = unsettled.isParsed ? [...resolved].filter(([key]) => !named.has(key)) : [];
  return Object.fromEntries([...settled, ...added.map(([, one]) => [one.column, { inputFields: one.sources }])]);
}

/** A statement all of whose columns are named and resolved has no other columns. */
const isNamedAndResolved = ({ column, unresolvedReason }: OutputColumn) => column !== null && unresolvedReason === null;

const isIndirect = ({ transformations = [] }: InputField) =>
  transformations.length > 0 && transformations.every(({ type }) => type.toUpperCase() === 'INDIRECT');

/** The sources of an output column as the facet would name them; null where not all of them are known. */
function inputFieldsOf(reads: readonly ReadDataset[], output: OutputColumn): InputField[] | null {
  if (output.unresolvedReason !== null) return null;
  const fields = output.sources.map((source) => inputFieldOf(reads, source));
  return fields.every((field) => field !== null) ? fields : null;
}

function inputFieldOf(reads: readonly ReadDataset[], source: ColumnSource): InputField | null {
  const dataset = datasetRead(reads, source.relation);
  if (!dataset) return null;
  const { type, subtype, masking, expression } = source;
  const described = expression ? { description: expression } : {};
  return { ...dataset, field: source.column, transformations: [{ type, subtype, ...described, masking }] };
}
