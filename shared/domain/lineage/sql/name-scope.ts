import type { SqlDialect } from './dialect.ts';
import type { Effect, FromSource } from './effect.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import { type Syntax, type SyntaxFields, wordSet } from './syntax.ts';
import type {
  Column,
  ColumnsOf,
  Expression,
  IndirectSubtype,
  Provenance,
  RelationName,
  Row,
  SqlName,
} from './types.ts';

/** A column that a join made one of those of several sources. */
export type Merged = {
  readonly column: Column;
  readonly of: readonly FromSource[];
  /** Of the left side of the join: `*` in the standard gives the column before it. Null for an element in place of its array. */
  readonly first: FromSource | null;
};

/** A common table expression or a temporary table; in ClickHouse also a named value. */
export type Cte = {
  readonly row: Row | null;
  readonly value: Provenance | null;
  /** The value of a named expression, which reads the columns of the query that names it; null within itself. */
  readonly valueIn?: (analysis: Analysis, scope: NameScope) => Provenance | null;
  /** The temporary table that a statement writes by its name; undefined if it reads none. */
  readonly written?: RelationName | undefined;
  /** Called where it is read: a temporary table repeats what the statement that made it recorded. */
  readonly used?: (analysis: Analysis) => void;
};

export const isValue = (cte: Cte | undefined): boolean => cte?.valueIn !== undefined || (cte?.value ?? null) !== null;

/** What names can mean at one place of a query. */
export type NameScope = {
  readonly sources: readonly FromSource[];
  /** Columns that USING or NATURAL made one of several. */
  readonly merged: ReadonlyMap<string, Merged>;
  /** Aliases of the select list that may be named here. */
  readonly aliases: ReadonlyMap<string, Provenance>;
  readonly aliasUse: 'first' | 'outsideAggregates' | 'last' | 'guess' | 'never';
  /** What variables and the parameters of lambdas consist of: they are no columns. */
  readonly parameters: ReadonlyMap<string, Provenance>;
  readonly ctes: ReadonlyMap<string, Cte>;
  /** ClickHouse's values in the WITH of a query that begins here. */
  readonly values?: ReadonlySet<string>;
  /** Those in the WITH of the query itself: they hide columns. */
  readonly ownValues?: ReadonlySet<string> | undefined;
  readonly windows: readonly SyntaxFields[];
  readonly outer: NameScope | null;
  /** Around the statements of a body: a name that no relation can have is that of a variable. */
  readonly isBody?: boolean;
};

/** The analysis of one statement: its rules, its evaluators, and what it records. */
export type Analysis = {
  readonly dialect: SqlDialect;
  readonly rules: NameRules;
  readonly columnsOf: ColumnsOf;
  /** Evaluators are called through the analysis: queries, sources and expressions contain each other. */
  readonly query: (node: Syntax, scope: NameScope) => Row;
  readonly expression: (node: unknown, scope: NameScope) => Provenance;
  /** The scope extended by one item of FROM. */
  readonly source: (node: Syntax, scope: NameScope) => NameScope;
  /** The tree of a statement that another holds as a literal; null if it does not parse to one query. */
  readonly embedded: (text: string) => Syntax | null;
  /** The expression of the text that an item of a select list is. */
  readonly expressionOf: (item: Syntax) => Expression;
  /** What a statement writes or gives; empty if it has no columns. */
  readonly effect: (statement: Syntax, scope: NameScope) => readonly Effect[];
  readonly recordEffect: (effect: Effect) => void;
  readonly recordRead: (relation: RelationName) => void;
  readonly recordIndirect: (value: Provenance, subtype: IndirectSubtype) => void;
  /** Records what a select list names: no query around it need use it. */
  readonly recordNamed: (value: Provenance) => void;
  /** Marks a query, relation or name as visited: one that never is belongs to a part that is not supported. */
  readonly visit: (node: SyntaxFields) => void;
  readonly isVisited: (node: SyntaxFields) => boolean;
  /** Takes steps from the statement's budget; throws `BudgetExceeded` where none are left. */
  readonly spend: (steps: number) => void;
};

export function scopeWithin(outer: NameScope | null, ctes: ReadonlyMap<string, Cte>): NameScope {
  return {
    sources: [],
    merged: new Map(),
    aliases: new Map(),
    aliasUse: 'never',
    parameters: new Map(),
    ctes,
    windows: [],
    outer,
  };
}

/** What it costs to copy a list or to compare each of its names: little compared with other steps. */
export const copyingSteps = (list: readonly unknown[]): number => list.length >> 4;

export function* scopesFrom(scope: NameScope): Generator<NameScope> {
  for (let at: NameScope | null = scope; at !== null; at = at.outer) yield at;
}

/** The source that a qualifier of one or more parts means, innermost scope first. */
export function sourceNamed(rules: NameRules, scope: NameScope, qualifier: RelationName): FromSource | null {
  for (const named of [hasAlias, hasRelation, isWithinRelation])
    for (const { sources } of scopesFrom(scope)) {
      const source = sources.find((candidate) => named(rules, candidate, qualifier));
      if (source !== undefined) return source;
    }
  return null;
}

function hasAlias(rules: NameRules, { alias }: FromSource, qualifier: RelationName): boolean {
  const [only, ...more] = qualifier;
  return (
    only !== undefined && more.length === 0 && alias !== null && foldedName(rules, alias) === foldedName(rules, only)
  );
}

/** A relation that is read by its last parts may be named by its whole path. */
function isWithinRelation(_rules: NameRules, { alias, relation }: FromSource, qualifier: RelationName): boolean {
  if (relation === null || alias === null || relation.at(-1) !== alias || qualifier.length <= relation.length)
    return false;
  const tail = qualifier.slice(-relation.length);
  return tail.every((part, place) => part.text.toLowerCase() === relation[place]?.text.toLowerCase());
}

/** A relation is also named by the last parts of its path; in most dialects an alias hides them. */
function hasRelation(rules: NameRules, { alias, cte, ...source }: FromSource, qualifier: RelationName): boolean {
  const relation = source.relation ?? cte ?? null;
  if (relation === null || alias === null || qualifier.length === 0 || qualifier.length > relation.length) return false;
  const tail = [
    ...relation.slice(relation.length - qualifier.length, -1),
    rules.namesBesideAlias ? relation.at(-1) : alias,
  ];
  return tail.every((part, place) => part?.text.toLowerCase() === qualifier[place]?.text.toLowerCase());
}

const byDialect: Partial<Record<SqlDialect, ReadonlySet<string>>> = {
  bigquery: new Set(['_file_name', '_partitiondate', '_partitiontime', '_table_suffix']),
  clickhouse: wordSet('_file _part _part_index _part_offset _partition_id _partition_value _path _shard_num _table'),
  databricks: new Set(['_metadata']),
  duckdb: new Set(['rowid']),
  hive: new Set(['block__offset__inside__file', 'grouping__id', 'input__file__name']),
  oracle: new Set(['currval', 'nextval', 'ora_rowscn', 'rowid', 'rownum', 'uid', 'user']),
  postgres: new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin']),
  snowflake: wordSet(
    `nextval metadata$action metadata$filename metadata$file_row_number metadata$isupdate metadata$row_id
    metadata$start_scan_time`,
  ),
  spark: new Set(['_metadata']),
  sqlite: new Set(['_rowid_', 'oid', 'rowid']),
};

/** Their hidden columns are quoted: `"$path"`. */
const markedColumns = wordSet('athena presto redshift trino');

/** Whether a name is that of a column that the database itself gives to every relation, or to a sequence. */
export function isPseudoColumn(dialect: SqlDialect, name: SqlName | undefined): boolean {
  if (name?.text.startsWith('$') && markedColumns.has(dialect)) return true;
  return name !== undefined && !name.quoted && byDialect[dialect]?.has(name.text.toLowerCase()) === true;
}

/** Functions of the standard that are called without brackets. */
const standardWords =
  'current_catalog current_date current_path current_role current_schema current_time current_timestamp current_user localtime localtimestamp session_user system_user';

const callsByDialect: Partial<Record<SqlDialect, string>> = {
  bigquery: 'current_datetime',
  fabric: 'user',
  mysql: 'utc_date utc_time utc_timestamp',
  oracle: 'dbtimezone sessiontimezone sysdate systimestamp user',
  postgres: 'user',
  redshift: 'sysdate user',
  tsql: 'user',
};

/** Whether a name without brackets calls a function, unless a relation has a column of that name. */
export function isCallWithoutBrackets(dialect: SqlDialect, name: SqlName): boolean {
  if (name.quoted) return false;
  const own = dialect === 'ansi' ? Object.values(callsByDialect).join(' ') : (callsByDialect[dialect] ?? '');
  return `${standardWords} ${own}`.split(' ').includes(name.text.toLowerCase());
}
