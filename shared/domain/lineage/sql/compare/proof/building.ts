import type { Syntax } from '../../syntax.ts';
import type { RelationName } from '../../types.ts';
import type { Building } from './build-expression.ts';
import type { Scope } from './resolve-column.ts';
import { simplify } from './rules.ts';
import {
  type Constants,
  columnTerms,
  emptyBlock,
  isWindowTerm,
  type Leaf,
  type Query,
  queryOver,
  someIn,
  Unproven,
} from './terms.ts';

/** A relation outside of the statement by its name; `columns` is null if nobody lists them. */
export type SharedTable = {
  readonly table: string;
  readonly columns: readonly string[] | null;
  readonly constants?: Constants | null;
  readonly types?: ReadonlyMap<string, string | null> | undefined;
};

/** How a relation outside of the statement is known: by a name, or by its query. */
export type ReadQuery = (name: RelationName) => SharedTable | Query;

export type QueryBuilding = Building & {
  readonly read: ReadQuery;
  /** A query of FROM, of WITH or of a set operation. */
  readonly derived: (node: Syntax, around: Scope) => Query;
  readonly hasOuterNulls: boolean;
  readonly order: 'dropped' | 'kept';
  /** The order of the result, which is a relation: it is resolved, and then left out. */
  readonly resultOrder: unknown;
};

export function withNames(query: Query, names: readonly string[]): Query {
  if (names.length === 0) return query;
  if (query.columns.some(({ name }) => name === null)) throw new Unproven();
  return { ...query, columns: query.columns.map((one, place) => ({ ...one, name: names[place] ?? one.name })) };
}

export const hasWindows = ({ proof }: QueryBuilding, query: Query): boolean =>
  query.qualify.length > 0 || someIn(proof, columnTerms(query), isWindowTerm);

/** Makes a leaf of a query: outside, only its rows and columns are known. */
export function asLeaf({ proof }: QueryBuilding, query: Query): Query {
  const ref = proof.unique('leaf');
  if (query.group) proof.grouped.add(ref);
  const leaf: Leaf = { ref, table: null, query, branches: [] };
  const columns = query.columns.map(({ name, term }) => ({ name, term: proof.term('read', ref, term) }));
  return queryOver({ ...emptyBlock(), leaves: [leaf] }, columns);
}

/** DISTINCT groups by all columns. */
export function distinct(building: QueryBuilding, query: Query): Query {
  const { proof } = building;
  const inner = simplify(proof, query);
  const isPlain = inner.group === null && !hasWindows(building, inner) && inner.limits.length === 0;
  const base = isPlain ? inner : asLeaf(building, inner);
  const keys = [...new Set(columnTerms(base))];
  return simplify(proof, { ...base, group: { keys, having: [], sets: [] } });
}
