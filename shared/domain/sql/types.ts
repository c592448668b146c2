import type { StatementKind } from '../../contract/vocabulary.ts';
import type { SqlDialect } from './dialect.ts';

/** A part of a name as it is written; whether it was quoted settles how its case folds. */
export type SqlName = { readonly text: string; readonly quoted: boolean };

/** A relation as the statement names it, outermost part first (`db`, `schema`, `table`): not folded, not qualified. */
export type RelationName = readonly SqlName[];

/**
 * Answers the ordered column names of a relation as its statement names it, or null where they are not known.
 * The caller knows which relation is meant: folding, defaults and suffixes are its own.
 */
export type ColumnsOf = (relation: RelationName) => readonly string[] | null;

export type SqlOptions = { readonly dialect: SqlDialect; readonly columnsOf: ColumnsOf };

/** Parses SQL text into the statements' syntax trees. Never throws; the reason of a refusal holds no text of the statement. */
export type SqlParser = (text: string, dialect: SqlDialect) => ParsedSql;

export type ParsedSql =
  | {
      readonly ok: true;
      readonly statements: readonly unknown[];
      /** How often keywords stand in the text, so that what the parser leaves out of its tree can be told. */
      readonly keywords: () => KeywordCounts;
    }
  | { readonly ok: false; readonly reason: string };

export type KeywordCounts = { readonly select: number; readonly join: number };

/** OpenLineage ColumnLineageDatasetFacet 1-2-0: transformations of the kinds DIRECT and INDIRECT. */
export type DirectSubtype = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION';
export type IndirectSubtype = 'FILTER' | 'JOIN' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL';

/** A column of a relation that was read, named as the statement or `columnsOf` spells it. */
export type ColumnRead = { readonly relation: RelationName; readonly column: string };

export type Influence = { readonly masking: boolean } & (
  | { readonly type: 'DIRECT'; readonly subtype: DirectSubtype }
  | { readonly type: 'INDIRECT'; readonly subtype: IndirectSubtype }
);

export type ColumnSource = ColumnRead & Influence;

export type OutputColumn = {
  /** Null where the statement does not tell the name: an unexpanded `*`, or an expression without an alias. */
  readonly column: string | null;
  /** What is known to reach the column; incomplete where there is a reason. */
  readonly sources: readonly ColumnSource[];
  /** Why sources are missing; null where `sources` is the whole answer. */
  readonly unresolvedReason: string | null;
};

/** A column that affects every output (a filter, a join, a grouping, an order), not the value of one. */
export type IndirectSource = ColumnRead & { readonly subtype: IndirectSubtype };

export type SqlAnalysis = {
  /** Null for a bare query and for a statement that writes nothing. */
  readonly statementKind: StatementKind | null;
  /** The relation that is written; null for a bare query. */
  readonly target: RelationName | null;
  readonly outputs: readonly OutputColumn[];
  /** Every relation that is read, without CTEs; null where the statement could not be parsed. */
  readonly reads: readonly RelationName[] | null;
  readonly indirect: readonly IndirectSource[];
  /** Why the statement as a whole has no column answer: `outputs` is then empty. */
  readonly unresolvedReason: string | null;
};
