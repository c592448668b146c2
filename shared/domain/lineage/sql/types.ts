import type { StatementKind } from '../../../contract/vocabulary.ts';
import type { Budget } from '../../base/budget.ts';
import type { Star } from '../graph/schema.ts';
import type { SqlDialect } from './dialect.ts';

/** A part of a name as it is written; whether it was quoted settles how its case folds. */
export type SqlName = { readonly text: string; readonly quoted: boolean };

/** A relation as the statement names it, outermost part first (`db`, `schema`, `table`): not folded, not qualified. */
export type RelationName = readonly SqlName[];

/** A complete list has all columns in order; any other says nothing of further columns or of the order. */
export type KnownColumns = {
  readonly names: readonly string[];
  readonly complete: boolean;
  /** What an INSERT without a list fills, if some columns are computed. */
  readonly insertable?: readonly string[];
};

/** The caller knows which relation is meant: folding, defaults and suffixes are its own. Null if none is known. */
export type ColumnsOf = (relation: RelationName) => KnownColumns | null;

export type SqlOptions = {
  readonly dialect: SqlDialect;
  readonly columnsOf: ColumnsOf;
  /** Of the document that the text is of. */
  readonly budget?: Budget;
};

/** Parses SQL text into the statements' syntax trees. Never throws; the reason of a refusal holds no text of the statement. */
export type SqlParser = {
  (text: string, dialect: SqlDialect): ParsedSql;
  /** Writes a part of a tree as SQL on one line. Null if it cannot be written. */
  readonly write?: (node: unknown, dialect: SqlDialect) => string | null;
  /** Begins to analyse statements elsewhere, which will be needed likely in this order. */
  readonly ahead?: (statements: readonly PendingStatement[]) => void;
  /** The analysis that `ahead` began, if it has ended and is based on the same columns. */
  readonly analysed?: (text: string, options: SqlOptions) => SqlAnalysis | null;
};

export type PendingStatement = {
  readonly text: string;
  readonly dialect: SqlDialect;
  /** What it may read. */
  readonly members: readonly {
    readonly id: string;
    readonly names: readonly (readonly string[])[];
    readonly columns: KnownColumns | null;
  }[];
};

export type ParsedSql =
  | {
      readonly ok: true;
      readonly statements: readonly unknown[];
      /** How often keywords are in the text, to find what the parser leaves out of its tree. */
      readonly keywords: () => KeywordCounts;
    }
  | { readonly ok: false; readonly reason: string };

export type KeywordCounts = { readonly select: number; readonly join: number };

/** OpenLineage ColumnLineageDatasetFacet 1-2-0: transformations of the kinds DIRECT and INDIRECT. */
export type DirectSubtype = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION';
export type IndirectSubtype = 'FILTER' | 'JOIN' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL' | typeof reference;

/** Our own: the statement names the column and uses it for nothing, but fails without it (C-COLUMNS-9). */
export const reference = 'REFERENCE';

/** A column of a relation that was read, named as the statement or `columnsOf` spells it. */
export type ColumnRead = {
  readonly relation: RelationName;
  readonly column: string;
  /** The path of the only field of the column that is read, such as `a.b` for `column:a.b` (C-COLUMNS-13). */
  readonly field?: string;
};

export type SourceInfluence = { readonly masking: boolean } & (
  | { readonly type: 'DIRECT'; readonly subtype: DirectSubtype }
  | { readonly type: 'INDIRECT'; readonly subtype: IndirectSubtype }
);

export type ColumnSource = ColumnRead &
  SourceInfluence & {
    /** OpenLineage's `transformationDescription`: at most 500 characters, null for a column that is only passed on. */
    readonly expression: string | null;
  };

export type OutputColumn = {
  /** Null where the statement does not give the name: an unexpanded `*`, or an expression without an alias. */
  readonly column: string | null;
  /** What is known to reach the column; incomplete where there is a reason. */
  readonly sources: readonly ColumnSource[];
  /** Why sources are missing; null where `sources` is the whole answer. */
  readonly unresolvedReason: string | null;
  /** The same reasons one by one, with the missing information. */
  readonly reasons: readonly MissingSources[];
};

/** Why sources are missing, and what columns the relations have that would tell. */
export type MissingSources = {
  readonly text: string;
  /** The columns are all those of a relation. */
  readonly star?: (Star & { readonly relation: RelationName }) | null;
  /** The columns are those of several branches, place by place, with the names of the first. */
  readonly places?: readonly (readonly PlacedColumns[])[];
  /** The source is a column of one of the relations: that which has it. */
  readonly options?: readonly ColumnSource[];
};

/** What is at one place of a branch, or at as many as `*` has columns. */
export type PlacedColumns =
  | { readonly star: Star & { readonly relation: RelationName } }
  | { readonly column: string | null; readonly sources: readonly ColumnSource[] };

/** A column that affects every output (a filter, a join, a grouping, an order), not the value of one. */
export type IndirectSource = ColumnRead & { readonly subtype: IndirectSubtype };

export type SqlAnalysis = {
  /** Null for a bare query and for a statement that writes nothing. */
  readonly statementKind: StatementKind | null;
  /** The relation that is written; null for a bare query. */
  readonly target: RelationName | null;
  readonly outputs: readonly OutputColumn[];
  /** Every relation that is read, without CTEs; null if they are not known, or not all of them. */
  readonly reads: readonly RelationName[] | null;
  readonly indirect: readonly IndirectSource[];
  /** Why columns are missing from `indirect`; null if it is the whole answer. */
  readonly indirectUnresolvedReason: string | null;
  readonly indirectReasons: readonly MissingSources[];
  /** Why the statement as a whole has no column answer: `outputs` is then empty. */
  readonly unresolvedReason: string | null;
};

/** For documents without statements, which are not worth the loading of a parser. */
export const noParser: SqlParser = () => ({ ok: false, reason: 'no_parser' });

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
  /** What the columns consist of, in a way that is not known. */
  readonly of?: Row;
};

/** The columns of a query or relation, in order. */
export type Row = readonly (Column | Rest)[];
