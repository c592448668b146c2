import type { RelationName, SqlName } from './types.ts';
import type { Provenance, Row } from './values.ts';

/** Something that FROM brings into scope. */
export type FromSource = {
  /** The name by which its columns are qualified; null where it has none. */
  readonly alias: SqlName | null;
  /** The relation that is read, by whose name columns may be qualified too; null for what is no relation. */
  readonly relation: RelationName | null;
  readonly row: Row;
  /** What a statement writes that names it as its target, where it is no relation itself: a temporary table, or what a CTE reads. */
  readonly written?: RelationName | null;
  /** What its own name stands for as a value: the element of an unnested array. Null where it stands for the whole row. */
  readonly element: Provenance | null;
};
