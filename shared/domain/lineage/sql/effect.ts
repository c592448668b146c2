import type { StatementKind } from '../../../contract/vocabulary.ts';
import type { Provenance, RelationName, Row, SqlName } from './types.ts';

/** What a statement does: the relation that it writes, and the columns that it gives. */
export type Effect = {
  readonly kind: StatementKind | null;
  readonly target: RelationName | null;
  readonly row: Row;
  /** The target lasts no longer than the session: later statements of the text read what it consists of. */
  readonly temporary?: boolean;
  /** What it takes rows from, which SQL Server's OUTPUT may name. */
  readonly sources?: readonly FromSource[];
};

export type FromSource = {
  /** The qualifier of its columns; null if it has none. */
  readonly alias: SqlName | null;
  /** The relation that is read, by whose name columns may be qualified too; null for what is no relation. */
  readonly relation: RelationName | null;
  readonly row: Row;
  /** The name of the CTE that it is. */
  readonly cte?: RelationName;
  /** What a statement writes that names it as its target, if it is no relation itself: a temporary table, or what a CTE reads. */
  readonly written?: RelationName | null;
  /** What its own name represents as a value: the element of an unnested array. Null where it represents the whole row. */
  readonly element: Provenance | null;
};

/** A source that is no relation, such as a subquery. */
export const derivedSource = (alias: SqlName | null, row: Row, element: Provenance | null = null): FromSource => ({
  alias,
  relation: null,
  row,
  element,
});
