import type { Side } from '../graph/claim.ts';
import type { EdgeColumn, EdgeDetail } from '../graph/ports.ts';

/** Which columns of a relation are concerned. Names are compared without case: merging two is safe, losing one is not. */
export type Columns = {
  /** Any column may be concerned: a dataset-wide mapping, or columns that are not known. */
  readonly all: boolean;
  /** Lower-cased name to the name as its source writes it. */
  readonly names: ReadonlyMap<string, string>;
};

export const columnsOf = (names: readonly string[]): Columns => ({
  all: false,
  names: new Map(names.map((name) => [name.toLowerCase(), name])),
});

/** What `more` has that `known` has not; null where it has nothing new. */
export function newColumns(known: Columns | undefined, more: Columns): Columns | null {
  if (!known) return more;
  const names = new Map([...more.names].filter(([key]) => !known.names.has(key)));
  const all = more.all && !known.all;
  return all || names.size > 0 ? { all, names } : null;
}

export const joinColumns = (a: Columns | undefined, b: Columns): Columns => ({
  all: (a?.all ?? false) || b.all,
  names: new Map([...(a?.names ?? []), ...b.names]),
});

/** How columns pass an edge. */
export type Passage = {
  /** The columns concerned at the far end; null where none is. */
  readonly reached: Columns | null;
  readonly mappings: readonly EdgeColumn[];
  /** Why only the table could be followed, or an output column only suspected. */
  readonly reasons: readonly { readonly column: string | null; readonly reason: string }[];
  /** Whether the far end was reached without a mapping. */
  readonly byTable: boolean;
};

const notReported = 'columns_not_reported';

/**
 * Follows concerned columns over the edge's evidence. Evidence that maps columns is followed by its mappings alone;
 * evidence that does not may concern anything, so the far end is reached whole: decisions 7.
 *
 * @param details one an admitted piece of evidence; null where the source said nothing beyond the edge
 */
export function passColumns(side: Side, concerned: Columns, details: readonly (EdgeDetail | null)[]): Passage {
  const names = new Map<string, string>();
  const mappings: EdgeColumn[] = [];
  const reasons: { column: string | null; reason: string }[] = [];
  let all = false;
  let byTable = false;
  const reach = (column: string) => names.set(column.toLowerCase(), column);
  for (const detail of details) {
    const suspected = unresolvedOf(side, concerned, detail);
    reasons.push(...suspected);
    if (suspected.some(({ column }) => column === null || side === 'in')) {
      all = true;
      byTable = true;
    } else for (const { column } of suspected) if (column !== null) reach(column);
    for (const mapping of (detail?.columns ?? []).filter((one) => concerns(side, concerned, one))) {
      mappings.push(mapping);
      if (side === 'in') reach(mapping.inputColumn);
      else if (mapping.outputColumn !== null) reach(mapping.outputColumn);
      else {
        all = true;
        for (const { outputColumn } of detail?.columns ?? []) if (outputColumn !== null) reach(outputColumn);
      }
    }
  }
  const reached = all || names.size > 0 ? { all, names } : null;
  return { reached, mappings, reasons, byTable };
}

function concerns(side: Side, concerned: Columns, { inputColumn, outputColumn }: EdgeColumn): boolean {
  if (concerned.all) return true;
  if (side === 'out') return concerned.names.has(inputColumn.toLowerCase());
  return outputColumn === null || concerned.names.has(outputColumn.toLowerCase());
}

/** What the evidence leaves open about the concerned columns; upstream only the asked output columns count. */
function unresolvedOf(side: Side, concerned: Columns, detail: EdgeDetail | null) {
  if (!detail) return [{ column: null, reason: notReported }];
  return detail.unresolved
    .filter(
      ({ outputColumn }) =>
        outputColumn === null || side === 'out' || concerned.all || concerned.names.has(outputColumn.toLowerCase()),
    )
    .map(({ outputColumn, reason }) => ({ column: outputColumn, reason }));
}
