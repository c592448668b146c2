// Which of the statements of several sources about one edge's columns count.
import { sortedBy } from '../../base/collections.ts';
import type { EdgeColumn, EdgeDetail } from '../graph/derivation.ts';

type Detail = Pick<EdgeDetail, 'columns' | 'unresolved' | 'statement'>;
type Stated<D extends Detail> = D & { readonly statement: NonNullable<Detail['statement']> };

/**
 * The statements about one edge's columns, without duplicates (C-EVIDENCE-7). Evidence of one model's statement at one
 * version says the same, so that the most exact mapping represents it and the others only confirm it. Evidence without a
 * version adds the pairs of columns that no other has, and no doubt. Other versions and other producers say what they say.
 *
 * @param details of admitted evidence; null if a source stated nothing beyond the edge
 */
export function standingDetails<D extends Detail>(details: readonly (D | null)[]): readonly (D | null)[] {
  if (details.length < 2) return details;
  const groups = Map.groupBy(details.filter(isStated), ({ statement }) => statement.model);
  if ([...groups.values()].every((group) => group.length === 1)) return details;
  return [...details.filter((detail) => !isStated(detail)), ...[...groups.values()].flatMap(standing)];
}

const isStated = <D extends Detail>(detail: D | null): detail is Stated<D> => detail?.statement !== undefined;

function standing<D extends Detail>(group: readonly Stated<D>[]): D[] {
  const versions = Map.groupBy(group, ({ statement }) => statement.version ?? null);
  const unversioned = versions.get(null) ?? [];
  versions.delete(null);
  const stands = [...versions.values()].map(mostExact);
  if (unversioned.length === 0) return stands;
  // Nobody shows the text that it is of: it may be of any version.
  const [best, ...rest] = sortedBy([...stands, mostExact(unversioned)], ...exactness);
  if (!best) return [];
  const isOther = (one: D) => isVersioned(one) && isVersioned(best);
  return [best, ...rest.map((one) => (isOther(one) ? one : confirming(one, [best, ...rest])))];
}

const isVersioned = ({ statement }: Detail) => statement?.version !== undefined;

/** The more exact first: the fewer doubts, then the more pairs of columns and the more said of each; the rest decides ties. */
const exactness = [
  ({ unresolved }: Detail) =>
    unresolved.filter(({ outputColumn, type }) => !outputColumn && type !== 'INDIRECT').length,
  ({ unresolved }: Detail) => unresolved.length,
  ({ columns }: Detail) => -new Set(columns.map(pairOf)).size,
  ({ columns }: Detail) => -columns.filter(({ subtype }) => subtype !== null).length,
  ({ columns, statement }: Detail) => JSON.stringify([columns, statement?.version]),
] as const;

/** The most exact of some details of one statement; if it is not exact either, it also gets the mappings of the others. */
function mostExact<D extends Detail>(group: readonly D[]): D {
  const [best, ...rest] = sortedBy(group, ...exactness);
  if (!best) throw new RangeError('there is no detail to choose from');
  if (rest.length === 0 || best.unresolved.length === 0) return best;
  return { ...best, columns: [...best.columns, ...rest.flatMap((one) => newPairs(one, [best]))] };
}

/** A detail that adds no doubt to others, and what they have not to them. */
const confirming = <D extends Detail>(detail: D, others: readonly D[]): D => ({
  ...detail,
  columns: newPairs(
    detail,
    others.filter((one) => one !== detail),
  ),
  unresolved: [],
});

function newPairs(detail: Detail, others: readonly Detail[]): EdgeColumn[] {
  const known = new Set(others.flatMap(({ columns }) => columns.map(pairOf)));
  return detail.columns.filter((column) => !known.has(pairOf(column)));
}

const pairOf = ({ inputColumn, outputColumn }: EdgeColumn): string =>
  JSON.stringify([inputColumn.toLowerCase(), outputColumn?.toLowerCase() ?? null]);
