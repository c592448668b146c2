import type { ColumnSource, MissingSources, RelationName, SqlAnalysis } from '../../sql/types.ts';
import type { ColumnLineageFacet, Named } from './event.ts';
import { columnsFacet, columnsKey } from './facets.ts';
import { entryOfStar, type OpenEntry, type PlacedEntry, type StarEntry, type UnresolvedEntry } from './open-columns.ts';

/** A mark on an output whose statement was understood whole; it never leaves the process. */
export const wholeKey = 'tributary_whole';

export type ReadDataset = { readonly read: RelationName; readonly dataset: Named };

/** Columns that the statement has and nobody resolved: any relation that it reads may be behind them. */
export function openColumns(
  reads: readonly ReadDataset[],
  { outputs }: SqlAnalysis,
  fields: NonNullable<ColumnLineageFacet['fields']>,
): UnresolvedEntry[] {
  const named = new Set(Object.keys(fields).map((column) => column.toLowerCase()));
  const unmapped = outputs.filter(({ column }) => column === null || !named.has(column.toLowerCase()));
  const datasets = reads.map(({ dataset }) => dataset);
  return unmapped.flatMap(({ column, reasons }) =>
    reasons.flatMap((missing) =>
      openEntries(reads, datasets, missing).map((entry) => ({ ...entry, ...(column !== null && { field: column }) })),
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
  if (places) return placesOf(reads, places);
  if (star) {
    const entry = starOf(reads, star);
    return entry && { kind: 'star', ...entry };
  }
  const chosen = options.map((option) => optionOf(reads, option));
  if (chosen.length === 0 || chosen.some((option) => option === null)) return null;
  return { kind: 'choice', options: chosen.flatMap((option) => option ?? []) };
}

function optionOf(reads: readonly ReadDataset[], source: ColumnSource) {
  const { relation, column: field, type, subtype, masking, expression } = source;
  const dataset = datasetRead(reads, relation);
  return dataset && { ...dataset, field, type, subtype, ...(expression && { description: expression }), masking };
}

function placesOf(reads: readonly ReadDataset[], places: NonNullable<MissingSources['places']>): OpenEntry | null {
  const branches = places.map((branch) =>
    branch.map((item): PlacedEntry | null => {
      if ('star' in item) {
        const star = starOf(reads, item.star);
        return star && { star };
      }
      const options = item.sources.map((source) => optionOf(reads, source));
      const known = options.flatMap((option) => option ?? []);
      return known.length === options.length ? { field: item.column, options: known } : null;
    }),
  );
  const known = branches.map((branch) => branch.flatMap((item) => item ?? []));
  return known.every((branch, i) => branch.length === branches[i]?.length) ? { kind: 'places', branches: known } : null;
}

function starOf(reads: readonly ReadDataset[], star: NonNullable<MissingSources['star']>): StarEntry | null {
  const of = datasetRead(reads, star.relation);
  return of && { of, ...entryOfStar(star) };
}

export function datasetRead(reads: readonly ReadDataset[], relation: RelationName): Named | null {
  const key = JSON.stringify(relation.map(({ text }) => text));
  return reads.find(({ read }) => JSON.stringify(read.map(({ text }) => text)) === key)?.dataset ?? null;
}
