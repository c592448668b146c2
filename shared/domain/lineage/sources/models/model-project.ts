import type { ExposureFacts } from '../../../../contract/impact.ts';
import type { StatementKind } from '../../../../contract/vocabulary.ts';
import type { ProducingStatement } from '../../graph/derivation.ts';
import type { Node } from '../../graph/node.ts';
import type { SchemaColumn } from '../../graph/schema.ts';
import type { Connector } from '../../names/connector.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import type { SourceInfluence } from '../../sql/types.ts';

/** The names, outermost part first, under which statements of a project may read a relation. */
export type ReadableNames = readonly (readonly string[])[];

/** What a model runs. Several dialects: the project's, and others that its text may be in; the first that parses counts. */
export type ModelStatement =
  | {
      readonly kind: 'sql';
      readonly text: string;
      /** The same without what options of its tool add to it. */
      readonly plain?: string;
      readonly dialects: readonly SqlDialect[];
    }
  | { readonly kind: 'columns'; readonly columns: readonly UsedColumn[] }
  /** Why columns are not known; null if there is nothing to know, as for a seed. */
  | { readonly kind: 'none'; readonly reason: string | null };

/** A column that an exposure uses. `of` names the dependency; null if the exposure does not say which one. */
export type UsedColumn = { readonly of: string | null; readonly column: string };

/** One member of a project that depends on others, by their ids. */
export type Model = {
  readonly id: string;
  /** False for what only reads models or stands between them: exposures, metrics. */
  readonly isModel: boolean;
  /** Null: the model is inlined where it is used and no relation (dbt ephemeral, SQLMesh EMBEDDED). */
  readonly node: Node | null;
  readonly names: ReadableNames;
  readonly dependsOn: readonly string[];
  readonly statement: ModelStatement;
  readonly statementKind: StatementKind | null;
  /** Columns that the materialisation adds behind those of the statement. */
  readonly addedColumns: readonly string[];
  /** Columns that its settings name, if the document lists them. */
  readonly ownColumns?: readonly string[];
  /** The whole column list where the document promises it. */
  readonly columns: readonly TypedColumn[] | null;
  /** Columns that its documentation names, which may be a part. */
  readonly documentedColumns?: readonly TypedColumn[];
  readonly location: string;
  readonly exposure?: ExposureFacts;
  /** Who owns it, as its source writes it. */
  readonly owners?: readonly string[];
  /** What decides its rows besides its statement. */
  readonly settings?: ModelSettings;
  /** Column lineage that its tool found: it fills in what the statement does not tell. */
  readonly reported?: readonly ReportedColumn[];
};

/** A column of a member of the project that reaches an output column, or every one of them (null). */
export type ReportedColumn = SourceUse & {
  readonly member: string;
  readonly column: string;
  readonly output: string | null;
};

/** How a column is used. A tool may not tell how it decides the rows. */
export type SourceUse = (
  | SourceInfluence
  | { readonly type: 'INDIRECT'; readonly subtype: null; readonly masking: boolean }
) & {
  readonly expression?: string | null;
};

export type ModelSettings = {
  /** By name, as JSON: how its tool builds it. */
  readonly values: Readonly<Record<string, string>>;
  /** What its file holds, as the document proves it; null if the document does not. */
  readonly content: string | null;
  /** The path in its project of the file that a seed loads. */
  readonly seedFile?: string | null;
  /** The parts of its relation's name that its configuration chooses, wherever it is built. */
  readonly naming?: Readonly<Partial<Record<'alias' | 'schema' | 'database', string | undefined>>>;
  /** Whether it is a table, a view or anything else, in its tool's words. */
  readonly materialized?: string | null;
  /** What becomes of the columns of an incremental model's table if its statement gets others, in its tool's words. */
  readonly onSchemaChange?: string | null;
  /** The statement before it was rendered, as its file has it. */
  readonly template: string | null;
};

/** A relation that the project reads and does not make: a source, a seed, an external model. */
export type ExternalRelation = {
  readonly id: string;
  readonly node: Node;
  readonly names: ReadableNames;
  /** What statements hold in place of a name: a file, or a call that reads one. */
  readonly expression?: string | null;
  readonly columns: readonly TypedColumn[] | null;
  /** Columns that its documentation names, which may be a part. */
  readonly documentedColumns?: readonly TypedColumn[];
};

export type TypedColumn = SchemaColumn;

/** What a dbt manifest and a SQLMesh export have in common. */
export type ModelProject = {
  /** Where it is in the request's body: a JSON pointer. */
  readonly root: string;
  readonly namespace: string;
  /** Its own name; null if the document does not tell it. */
  readonly name?: string | null;
  /** Whose names its statements are in; absent if there are no statements. */
  readonly connector?: Connector;
  /** The statement of one of its models, by the tool's id of it and its text; null if it makes no relation. */
  readonly statementOf?: (id: string, text: string | null) => ProducingStatement | null;
  readonly models: readonly Model[];
  /** Code that runs beside the statements of models, of a model's own relation or of none. */
  readonly hooks?: readonly { readonly code: string; readonly of: Node | null }[];
  readonly sources: readonly ExternalRelation[];
  /** How many of its members the tool itself calls models. */
  readonly modelCount: number;
  /** The source's own words for what is reported of its models. */
  readonly reasons: {
    /** Of a model whose statement reads what is no declared dependency. */
    readonly readsOutside: string;
    /** Of a column of an inlined model that is not known. */
    readonly inlinedColumnUnknown: string;
    /** Of a model that uses an inlined one; null if the source does not report that, since nothing is missing. */
    readonly inlinedDependency: string | null;
  };
};
