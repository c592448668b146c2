import { allKnown } from '../../../base/collections.ts';
import type { StatementColumns } from '../../names/connector.ts';
import { parseNamespace } from '../../names/namespace.ts';
import { splitName } from '../../names/relation-ref.ts';
import { namesRelations } from '../../names/resolve-dataset.ts';
import { dialectNamed, type SqlDialect } from '../../sql/dialect.ts';
import type { ColumnSource, OutputColumn, RelationName, SqlAnalysis, SqlOptions } from '../../sql/types.ts';
import {
  type ColumnLineageFacet,
  type Dataset,
  type InputField,
  type JobEvent,
  type Named,
  type OutputDataset,
  type RunEvent,
  readKey,
  type Transformation,
} from './event.ts';
import { isTombstone } from './facets.ts';
import { relationsOfJob } from './model-jobs.ts';
import { unresolvedFacet, unresolvedKey } from './open-columns.ts';
import { datasetRead, listOfColumns, openColumns, openEntries, type ReadDataset } from './statement-facets.ts';

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
  /** Whether the columns' sources are read again: those of another facet are kept, and only its influences are read. */
  readonly isReread: boolean;
  /** No facet says anything of the output's columns. */
  readonly isSilent: boolean;
};

/** What the connector of the output decides. */
export type StatementSettings = { readonly kind?: string; readonly statement_columns?: StatementColumns };

/** Producers whose column lineage only comes from a parser of the statement, by `jobType` facet. */
const parsingIntegrations: ReadonlySet<string> = new Set(['DBT']);

/** Whether a statement is there that may tell more of the columns than the event: only then is a parser worth loading. */
export const canSettle = (event: IOEvent, settings?: StatementSettings): boolean =>
  unsettledOf(event, settings) !== null;

/**
 * Settles the column sources of an event by the job's own statement. A relation that the statement reads is an input,
 * also where the event left it out; any other source that is no input is a name of the statement itself (a CTE), and
 * the columns behind it take its place. Of a facet that was made by parsing the statement, every column that is
 * resolved here is replaced. A facet that names values only gets the columns that decide which rows there are, or says
 * that they are not reported (C-OPENLINEAGE-21). Columns that no facet mentions are those of the statement, if it reads
 * and writes nothing else than the event (C-OPENLINEAGE-22). What it does not tell stays as it was reported.
 */
export function settleColumnSources<E extends IOEvent>(analyse: Analyse, event: E, settings?: StatementSettings): E {
  const unsettled = unsettledOf(event, settings);
  if (!unsettled) return event;
  const analysis = analyse(unsettled.query, {
    dialect: dialectOf(event, unsettled, settings),
    columnsOf: columnsOf(unsettled),
  });
  if (!analysis.reads || analysis.unresolvedReason !== null) return withoutInfluences(event, unsettled);
  const { output, facet, inputs, isReread, isSilent } = unsettled;
  if (isSilent && !isOfSameRelations(unsettled, analysis)) return event;
  const named = readDatasets(unsettled, [...analysis.reads, ...(analysis.target ? [analysis.target] : [])]);
  const reads = isSilent ? named : readDatasets(unsettled, analysis.reads);
  const fields = isReread ? settledFields(unsettled, reads, analysis) : facet.fields;
  const influences = influencesOf(unsettled, reads, analysis);
  const sources = [...Object.values(fields ?? {}).flatMap(({ inputFields }) => inputFields), ...influences.columns];
  const mapped = new Set(sources.map(nameOf));
  const added = reads.filter(
    ({ dataset }) => isOutside(unsettled, dataset) && (unsettled.isParsed || mapped.has(nameOf(dataset))),
  );
  const others = isSilent ? reads.filter(({ dataset }) => nameOf(dataset) !== nameOf(output)) : reads;
  const known = [...inputs, ...added.map(({ dataset }) => dataset)];
  const wide = [...(facet.dataset ?? []), ...influences.columns];
  const entries = [
    ...(isReread ? openColumns(named, others, analysis, fields ?? {}) : []),
    ...influences.missing(isReread ? others.map(({ dataset }) => dataset) : known),
  ];
  const facets = {
    ...output.facets,
    columnLineage: { ...facet, ...(fields && { fields }), ...(wide.length > 0 && { dataset: wide }) },
    ...(entries.length > 0 && { [unresolvedKey]: unresolvedFacet(entries, event.producer) }),
    ...(isReread && listOfColumns(listedBy(unsettled, event, analysis), reads, analysis)),
  };
  const reading = { isWhole: unsettled.isParsed && isWhole(analysis), isDerived: isSilent };
  return { ...event, inputs: known, outputs: [{ ...output, facets, [readKey]: reading }] };
}

function unsettledOf(event: IOEvent, settings?: StatementSettings): Unsettled | null {
  const { inputs, outputs } = relationsOfJob(event);
  const [output, ...others] = outputs;
  const facet = output?.facets?.columnLineage ?? {};
  const query = event.job.facets?.sql?.query ?? '';
  if (!output || others.length > 0 || isTombstone(facet) || query.trim() === '') return null;
  const isParsed = parsingIntegrations.has(event.job.facets?.jobType?.integration?.toUpperCase() ?? '');
  const isSilent = !isParsed && settings?.statement_columns !== 'off' && isWithoutColumns(event, output);
  const isReread = isParsed || isSilent || sourcesOf(facet).some((source) => isOutside({ inputs, output }, source));
  return isReread || namesValuesOnly(facet) ? { output, facet, inputs, query, isParsed, isReread, isSilent } : null;
}

const isWithoutColumns = ({ job }: IOEvent, { facets = {} }: OutputDataset): boolean =>
  !job.facets?.lineage && !facets.lineage && !facets.columnLineage && !(unresolvedKey in facets);

/** Whether each relation that a statement reads is one input of the event, and what it writes, if it says so, its output. */
function isOfSameRelations({ inputs, output }: Unsettled, { reads, target }: SqlAnalysis): boolean {
  if (target !== null && !isNamed(output, target)) return false;
  return (reads ?? []).every((read) => {
    const found = new Set([...inputs, output].filter((one) => isNamed(one, read)).map(nameOf));
    return found.size === 1;
  });
}

/** A statement that makes its relation lists its columns, also if nobody says that its producer has parsed it. */
const listedBy = ({ isParsed, isSilent, query }: Unsettled, { producer }: IOEvent, { target }: SqlAnalysis) => ({
  producer,
  isParsed: isParsed || (isSilent && target !== null && !/\bif\s+not\s+exists\b/i.test(query)),
});

const sourcesOf = ({ fields = {} }: ColumnLineageFacet) => Object.values(fields).flatMap((field) => field.inputFields);

/** Whether a statement's columns and the columns that decide its rows are all known. */
const isWhole = ({ outputs, indirectReasons }: SqlAnalysis) =>
  outputs.length > 0 && outputs.every(isNamedAndResolved) && indirectReasons.length === 0;

/** Whether a facet maps columns but reports no influence on rows: SQL parsers report only values. */
export const namesValuesOnly = (facet: ColumnLineageFacet) => {
  const sources = sourcesOf(facet);
  return sources.length > 0 && (facet.dataset ?? []).length === 0 && !sources.some(hasInfluence);
};

/** An event whose statement is not understood, so that nobody says what decides the rows of its output. */
function withoutInfluences<E extends IOEvent>(event: E, { output, facet, inputs }: Unsettled): E {
  if (!namesValuesOnly(facet)) return event;
  const entries = inputs.map(({ namespace, name }) => ({ namespace, name, ...rowsOnly, reason: influenceNotReported }));
  const facets = { ...output.facets, [unresolvedKey]: unresolvedFacet(entries, event.producer) };
  return { ...event, outputs: [{ ...output, facets }] };
}

export const influenceNotReported = 'influence_not_reported';
const rowsOnly = { type: 'INDIRECT' } as const;

/** The columns that decide which rows a statement gives, and what hinders to know them. */
function influencesOf(unsettled: Unsettled, reads: readonly ReadDataset[], analysis: SqlAnalysis) {
  if (!unsettled.isReread && !namesValuesOnly(unsettled.facet)) return { columns: [], missing: () => [] };
  const found = analysis.indirect.map(({ relation, column, subtype }): InputField | null => {
    const dataset = datasetRead(reads, relation);
    return dataset && { ...dataset, field: column, transformations: [{ ...rowsOnly, subtype }] };
  });
  const own = nameOf(unsettled.output);
  const reasons = [
    ...analysis.indirectReasons,
    ...(found.some((one) => one === null) ? [{ text: influenceNotReported }] : []),
  ];
  return {
    // A relation that reads itself is no input of itself.
    columns: found.flatMap((one) => (one && nameOf(one) !== own ? one : [])),
    missing: (datasets: readonly Named[]) =>
      reasons.flatMap((reason) => openEntries(reads, datasets, reason).map((entry) => ({ ...entry, ...rowsOnly }))),
  };
}

const nameOf = ({ namespace, name }: Named) => JSON.stringify([namespace, name]);
const isOutside = ({ inputs, output }: Pick<Unsettled, 'inputs' | 'output'>, source: Named) =>
  [...inputs, output].every((one) => nameOf(one) !== nameOf(source));

function dialectOf({ job }: IOEvent, { output }: Unsettled, settings?: StatementSettings): SqlDialect {
  const { sql, jobType } = job.facets ?? {};
  const named = [sql?.dialect, parseNamespace(output.namespace).platform, jobType?.integration, settings?.kind];
  const [dialect = 'ansi'] = named.flatMap((name) => dialectNamed(name ?? '') ?? []);
  return dialect;
}

/** Columns by the schema facets of the event; those of dbt hold what is documented, which may be a part. */
function columnsOf({ inputs, output, isParsed }: Unsettled): SqlOptions['columnsOf'] {
  return (read) => {
    const fields = [...inputs, output].find((one) => isNamed(one, read))?.facets?.schema?.fields;
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

/** The datasets that a statement reads: inputs, datasets that the facet names, or those of a complete name. A path is none. */
function readDatasets(unsettled: Unsettled, reads: readonly RelationName[]): ReadDataset[] {
  const { inputs, facet, output } = unsettled;
  const levels = lowerParts(output.name).length;
  return reads.flatMap((read): ReadDataset[] => {
    const known = [...inputs, ...sourcesOf(facet), output].find(
      (one) => isNamed(one, read) && isAsLong(one, read, levels),
    );
    if (known) return [{ read, dataset: { namespace: known.namespace, name: known.name } }];
    if (read.length < levels || !namesRelations(output.namespace)) return [];
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
    const remaining = field.inputFields.filter((one) => !isUnknown(one) && (!unsettled.isParsed || isIndirect(one)));
    return [[column, { ...field, inputFields: [...remaining, ...found.sources] }]];
  });
  const named = new Set(Object.keys(reported).map((column) => column.toLowerCase()));
  const added = unsettled.isParsed || unsettled.isSilent ? [...resolved].filter(([key]) => !named.has(key)) : [];
  // A statement that copies a relation's columns into the same relation feeds it nothing.
  const own = unsettled.isSilent ? nameOf(unsettled.output) : null;
  const others = (sources: readonly InputField[]) => sources.filter((source) => nameOf(source) !== own);
  return Object.fromEntries([
    ...settled,
    ...added.map(([, one]) => [one.column, { inputFields: others(one.sources) }]),
  ]);
}

/** A statement all of whose columns are named and resolved has no other columns. */
const isNamedAndResolved = ({ column, unresolvedReason }: OutputColumn) => column !== null && unresolvedReason === null;

const isInfluence = ({ type }: Transformation) => type.toUpperCase() === 'INDIRECT';
const hasInfluence = ({ transformations = [] }: InputField) => transformations.some(isInfluence);
const isIndirect = ({ transformations = [] }: InputField) =>
  transformations.length > 0 && transformations.every(isInfluence);

/** The sources of an output column as the facet would name them; null where not all of them are known. */
function inputFieldsOf(reads: readonly ReadDataset[], output: OutputColumn): InputField[] | null {
  if (output.unresolvedReason !== null) return null;
  return allKnown(output.sources.map((source) => inputFieldOf(reads, source)));
}

function inputFieldOf(reads: readonly ReadDataset[], source: ColumnSource): InputField | null {
  const dataset = datasetRead(reads, source.relation);
  if (!dataset) return null;
  const { type, subtype, masking, expression } = source;
  const described = expression ? { description: expression } : {};
  return { ...dataset, field: source.column, transformations: [{ type, subtype, ...described, masking }] };
}
