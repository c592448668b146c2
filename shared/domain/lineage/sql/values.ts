import type { ColumnRead, DirectSubtype, IndirectSubtype, RelationName, SqlName } from './types.ts';

export type Subtype = DirectSubtype | IndirectSubtype;

/** The uses of a column by a value; `masked` uses hide the value itself. */
export type Reach = {
  readonly read: ColumnRead;
  readonly plain: ReadonlySet<Subtype>;
  readonly masked: ReadonlySet<Subtype>;
  /** The expression that computes with the column; null while the column is only passed on. */
  readonly expression: Expression | null;
};

/** An expression of the statement, whose text is cut out only when it is requested. */
export type Expression = { readonly text: () => string | null };

/** What a value consists of: the columns that reach it and how, and the reasons why there may be more. */
export type Provenance = {
  readonly columns: ReadonlyMap<string, Reach>;
  readonly reasons: ReadonlyMap<string, Reason>;
  /** The fields of a structured value, or of the elements of a collection; null if they are not known. */
  readonly fields: Row | null;
};

/** Why there may be more: with options, it is the column of one of them, which a schema of their relations would tell. */
export type Reason = { readonly text: string; readonly options: readonly Provenance[] | null };

/** Which columns a run holds, as a relation and the changes made to it: each change adds its own link size. */
export type Shape = { readonly base: Shape | null; readonly change: ShapeChange; readonly key: string };

export type ShapeChange =
  | { readonly kind: 'relation'; readonly relation: RelationName }
  /** Those of several rows, place by place, with the names of the first. */
  | { readonly kind: 'places'; readonly rows: readonly Row[] }
  | { readonly kind: 'without'; readonly names: readonly string[] }
  | { readonly kind: 'renamed'; readonly pairs: readonly (readonly [string, string])[] };

/** A column whose place in its row is known. */
export type Column = { readonly kind: 'column'; readonly name: SqlName | null; readonly value: Provenance };

/** A run of columns whose number and order are not known, such as `*` over a relation whose columns are not all known. */
export type Rest = {
  readonly kind: 'rest';
  readonly reason: string;
  /** Null if the columns or their order are not known. */
  readonly shape: Shape | null;
  /** Columns that are among them for certain, in any order. */
  readonly known: readonly Column[];
  /** The column of that name if there is one; null if there cannot be. */
  readonly named: (name: SqlName) => Provenance | null;
  /** The names are those of fields of values: a column of the same name is preferred. */
  readonly fields: boolean;
};

/** The columns of a query or relation, in order. */
export type Row = readonly (Column | Rest)[];
