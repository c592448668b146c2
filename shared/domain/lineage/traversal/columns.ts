import type { Influence } from '../../../contract/vocabulary.ts';
import type { Side } from '../graph/claim.ts';
import type { EdgeColumn, EdgeDetail } from '../graph/derivation.ts';
import { reference } from '../sql/types.ts';
import { standingDetails } from './standing-details.ts';

/** The affected columns of a relation. Names are compared without case: merging two is safe, losing one is not. */
export type Columns = {
  /** Any column may be affected: a dataset-wide mapping, or columns that are not known. */
  readonly all: boolean;
  /** A mapping says that every column is affected, whatever it is called. */
  readonly every: boolean;
  /** Lower-cased name to the name as its source writes it. */
  readonly names: ReadonlyMap<string, string>;
};

export const everyColumn: Columns = { all: true, every: false, names: new Map() };

export const columnsOf = (names: readonly string[]): Columns => ({
  all: false,
  every: false,
  names: new Map(names.map((name) => [name.toLowerCase(), name])),
});

/** The columns of `more` that `known` lacks; null if it lacks none. */
export function newColumns(known: Columns | undefined, more: Columns): Columns | null {
  if (!known) return more;
  // Nearly always a relation is reached by the same columns again.
  if (holds(known, more)) return null;
  const names = [...more.names].filter(([key]) => !known.names.has(key));
  const all = more.all && !known.all;
  return all || names.length > 0 ? { all, every: false, names: new Map(names) } : null;
}

/** The columns of both. Nearly always one has nothing to add to the other. */
export function joinColumns(a: Columns | undefined, b: Columns): Columns {
  if (!a || a === b) return b;
  if (holds(a, b)) return a;
  return { all: a.all || b.all, every: a.every || b.every, names: new Map([...a.names, ...b.names]) };
}

function holds(a: Columns, b: Columns): boolean {
  if ((b.all && !a.all) || (b.every && !a.every)) return false;
  for (const [key, name] of b.names) if (a.names.get(key) !== name) return false;
  return true;
}

/** The mapping to show: with a longer expression, else the first by text, whatever the arrival order (C-COLUMNS-11). */
export function moreInformative(a: EdgeColumn, b: EdgeColumn): EdgeColumn {
  const [one, other] = [a.expression ?? '', b.expression ?? ''];
  if (one.length !== other.length) return one.length > other.length ? a : b;
  return one <= other ? a : b;
}

type ColumnPropagation = {
  /** The affected columns of the far end; null if none is. */
  readonly reached: Columns | null;
  readonly mappings: readonly EdgeColumn[];
  /** Why only the table could be followed, or an output column only suspected. */
  readonly reasons: readonly { readonly column: string | null; readonly reason: string }[];
  /** Whether the far end was reached without a mapping. */
  readonly byTable: boolean;
};

export const notReported = 'columns_not_reported';

/** By mappings, or as a whole if evidence has none (C-IMPACT-6, C-IMPACT-7); each statement once (C-EVIDENCE-7). */
export function propagateColumns(
  side: Side,
  affected: Columns,
  details: readonly (EdgeDetail | null)[],
  influence: Influence = 'all',
): ColumnPropagation {
  const names = new Map<string, string>();
  const [mappings, reasons]: [EdgeColumn[], ColumnPropagation['reasons'][number][]] = [[], []];
  let [all, every, byTable] = [false, false, false];
  const isAffected = affected.all ? always : concerning(affected.names);
  for (const detail of standingDetails(details)) {
    const part = propagateEvidence(side, isAffected, detail && withInfluence(detail, influence));
    for (const name of part.columns) names.set(name.toLowerCase(), name);
    mappings.push(...part.mappings);
    reasons.push(...part.reasons);
    all ||= part.all;
    every ||= part.every;
    byTable ||= part.byTable;
  }
  return { reached: all || names.size > 0 ? { all, every, names } : null, mappings, reasons, byTable };
}

/** Only statements about values, if only those are requested: filters, joins and sorting are left out. */
function withInfluence(detail: EdgeDetail, influence: Influence): EdgeDetail {
  if (influence === 'all') return detail;
  return {
    ...detail,
    columns: detail.columns.filter(({ type }) => type === 'DIRECT'),
    unresolved: detail.unresolved.filter(({ type }) => type !== 'INDIRECT'),
  };
}

function propagateEvidence(side: Side, isAffected: IsAffected, detail: EdgeDetail | null) {
  const reasons = unresolvedOf(side, isAffected, detail);
  const byTable = reasons.some(({ column }) => column === null || side === 'in');
  const suspected = byTable ? [] : reasons.flatMap(({ column }) => column ?? []);
  const mappings = detail?.columns.filter((one) => affects(side, isAffected, one)) ?? [];
  if (side === 'in') {
    const columns = mappings.map(({ inputColumn }) => inputColumn);
    return { all: byTable, every: false, byTable, reasons, mappings, columns };
  }
  const datasetWide = mappings.some(({ outputColumn }) => outputColumn === null);
  const outputs = (datasetWide ? detail?.columns : mappings)?.flatMap(({ outputColumn }) => outputColumn ?? []) ?? [];
  const columns = [...suspected, ...outputs];
  return { all: byTable || datasetWide, every: datasetWide, byTable, reasons, mappings, columns };
}

type IsAffected = (column: string) => boolean;
const always: IsAffected = () => true;

/** A column that a statement only names feeds nothing. */
const affects = (side: Side, isAffected: IsAffected, { inputColumn, outputColumn, subtype }: EdgeColumn): boolean => {
  if (side === 'out') return isAffected(inputColumn);
  return subtype !== reference && (outputColumn === null || isAffected(outputColumn));
};

/** What the evidence leaves open about the affected columns; upstream only the affected output columns count. */
function unresolvedOf(side: Side, isAffected: IsAffected, detail: EdgeDetail | null) {
  if (!detail) return [{ column: null, reason: notReported }];
  return detail.unresolved
    .filter(({ outputColumn }) => outputColumn === null || side === 'out' || isAffected(outputColumn))
    .map(({ outputColumn, reason }) => ({ column: outputColumn, reason }));
}

/** Columns by their names in lower case. */
type Names = ReadonlyMap<string, unknown> | ReadonlySet<string>;

/** Whether a column is one of them, holds one or stands within one: SQL often names only the column (C-IMPACT-17). */
export function concerning(names: Names): (column: string) => boolean {
  const known = holdersOf(names);
  return (column) => {
    const key = column.toLowerCase();
    if (names.has(key)) return true;
    // Nearly no column has a path: the request of every mapping is spared the rest.
    return known?.has(key) === true || (key.includes('.') && holders(key).some((holder) => names.has(holder)));
  };
}

/** The columns that a path is in: `a.b.c` within `a` and `a.b`. */
export const holders = (key: string): string[] => [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));

const remembered = new WeakMap<Names, ReadonlySet<string> | null>();

/** What holds some of the columns, null if nothing does: looked for once, however many mappings are compared. */
function holdersOf(names: Names): ReadonlySet<string> | null {
  const known = remembered.get(names);
  if (known !== undefined) return known;
  const found = new Set([...names.keys()].flatMap(holders));
  remembered.set(names, found.size > 0 ? found : null);
  return found.size > 0 ? found : null;
}
