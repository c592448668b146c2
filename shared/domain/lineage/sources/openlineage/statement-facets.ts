import { relationKey } from '../../sql/syntax.ts';
import type { ColumnSource, MissingSources, RelationName, SqlAnalysis } from '../../sql/types.ts';
import type { ColumnLineageFacet, Named } from './event.ts';
import { columnsFacet, columnsKey } from './facets.ts';
import {
  type OpenEntry,
  openEntryOf,
  optionEntryOf,
  type StarEntry,
  starEntryOf,
  type UnresolvedEntry,
} from './open-columns.ts';

export type ReadDataset = { readonly read: RelationName; readonly dataset: Named };

/** Columns that the statement has and nobody resolved: any relation that it reads may be behind them. */
export function openColumns(
  named: readonly ReadDataset[],
  reads: readonly ReadDataset[],
  { outputs }: SqlAnalysis,
  fields: NonNullable<ColumnLineageFacet['fields']>,
): UnresolvedEntry[] {
  const mapped = new Set(Object.keys(fields).map((column) => column.toLowerCase()));
  const unmapped = outputs.filter(({ column }) => column === null || !mapped.has(column.toLowerCase()));
  const datasets = reads.map(({ dataset }) => dataset);
  return unmapped.flatMap(({ column, reasons }) =>
    reasons.flatMap((missing) =>
      openEntries(named, datasets, missing).map((entry) => ({ ...entry, ...(column !== null && { field: column }) })),
    ),
  );
}

export function openEntries(
  reads: readonly ReadDataset[],
  datasets: readonly Named[],
  missing: MissingSources,
): UnresolvedEntry[] {
  const open = openOf(reads, missing);
  return datasets.map(({ namespace, name }) => ({ namespace, name, reason: missing.text, ...(open && { open }) }));
}

/** The list of columns that a statement gives its relation; nothing if it may leave out some, or does not name one. */
export function listOfColumns(
  { producer, isParsed }: { readonly producer: string; readonly isParsed: boolean },
  reads: readonly ReadDataset[],
  { outputs, statementKind }: SqlAnalysis,
): Readonly<Record<string, unknown>> {
  const open = outputs.flatMap(({ column, reasons }) => (column === null ? reasons : []));
  const stars = open.map(({ star, places }) => {
    const [first, ...more] = places?.[0] ?? [];
    const listed = star ?? (first && 'star' in first && more.length === 0 ? first.star : null);
    return listed && starOf(reads, listed);
  });
  if (!isParsed || !listsRow(statementKind) || stars.some((star) => !star)) return {};
  const columns = outputs.flatMap(({ column: name }) => (name === null ? [] : [{ name, type: null }]));
  const listed = { columns, stars: stars.flatMap((star) => star ?? []), complete: true };
  return { [columnsKey]: columnsFacet(listed, producer) };
}

/** Whether a statement's columns are all that its relation has: an INSERT may leave out some. */
const listsRow = (kind: SqlAnalysis['statementKind']): boolean => kind === null || kind.startsWith('create');

/** What a schema of an input would settle; nothing if a relation is none. */
function openOf(reads: readonly ReadDataset[], { star, places, options = [] }: MissingSources): OpenEntry | null {
  const optionOf = (source: ColumnSource) => optionEntryOf(datasetRead(reads, source.relation), source);
  const starEntry = (one: NonNullable<typeof star>) => starOf(reads, one);
  if (places) return openEntryOf({ kind: 'places', branches: places }, starEntry, optionOf);
  if (star) return openEntryOf({ kind: 'star', star }, starEntry, optionOf);
  return options.length === 0 ? null : openEntryOf({ kind: 'choice', options }, starEntry, optionOf);
}

const starOf = (reads: readonly ReadDataset[], star: NonNullable<MissingSources['star']>): StarEntry | null =>
  starEntryOf(datasetRead(reads, star.relation), star);

export const datasetRead = (reads: readonly ReadDataset[], relation: RelationName): Named | null =>
  reads.find(({ read }) => relationKey(read) === relationKey(relation))?.dataset ?? null;
