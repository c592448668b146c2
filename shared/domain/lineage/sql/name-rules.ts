import type { SqlDialect } from './dialect.ts';
import { splitPath } from './syntax.ts';
import type { SqlName } from './types.ts';

/** How a dialect reads names. Each rule is from the vendor's manual on identifiers, aliases and common table expressions. */
export type NameRules = {
  readonly quotedCase: 'kept' | 'ignored';
  readonly unquotedCase: 'upper' | 'lower' | 'kept' | 'ignored';
  /** Aliases in the select list: before (`first`) or after (`last`) columns; `guess`: if no column can be meant. */
  readonly listAliases: 'first' | 'last' | 'guess' | 'never';
  /** An item of GROUP BY that is only a name means the alias, and an expression there means columns. */
  readonly groupsByAlias: boolean;
  /** A CTE may read itself without the keyword RECURSIVE. */
  readonly implicitRecursion: boolean;
  /** `*` puts the columns of USING in front, as the standard says, not where the first relation has them. */
  readonly mergedColumnsFirst: boolean;
  /** A RIGHT JOIN with USING puts the columns of the second relation first, as the LEFT JOIN of the other side does. */
  readonly swapsRightJoin: boolean;
  /** Where `t.*` gives the columns of USING: in place, in front, as the joint ones, or, as in the standard, not at all. */
  readonly ownMerged: 'own' | 'front' | 'joint' | 'none';
  /** A comma in FROM is one of the joins: the standard joins what is behind it first. */
  readonly commaJoins: boolean;
  /** A column of a name that several relations have is called `t.a`, except in the first of two. */
  readonly qualifiesNames: boolean;
  /** A relation with an alias has its own name too. */
  readonly namesBesideAlias: boolean;
  /** Where MERGE writes the whole source row, its columns go to those of the target by their place, not by their name. */
  readonly mergedByPlace: boolean;
  /** `f(a = 1)` in FROM gives the argument that is called `a`. */
  readonly equalsNamesArgument: boolean;
  /** `FROM t(NOLOCK)` is a table with a hint. */
  readonly parenthesisedHints: boolean;
  /** `a.f()` may be a method of a column; elsewhere `a` is a schema or a package. */
  readonly methods: boolean;
  /** A relation's name as a value is its whole row. */
  readonly rowValues: boolean;
  /** `FROM dual` reads nothing. */
  readonly dual: boolean;
  /** One quoted identifier may hold a whole path: `` `project.dataset.table` ``. */
  readonly quotedPaths: boolean;
};

export const nameRulesOf = (dialect: SqlDialect): NameRules => ({ ...standard, ...byDialect[dialect] });

/** The canonical form of a name: equal for names with the same meaning. */
export function foldedName(rules: NameRules, { text, quoted }: SqlName): string {
  const folding = quoted && rules.quotedCase === 'kept' ? 'kept' : rules.unquotedCase;
  if (folding === 'kept') return text;
  return folding === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

export const foldedPath = (rules: NameRules, path: readonly SqlName[]): string =>
  path.map((part) => foldedName(rules, part)).join('.');

/** The parts of a path. One quoted name may hold several. */
export function partsOf({ quotedPaths }: NameRules, path: readonly SqlName[]): readonly SqlName[] {
  if (!quotedPaths) return path;
  return path.flatMap(({ text, quoted }) => splitPath(text, quoted));
}

const standard: NameRules = {
  quotedCase: 'ignored',
  unquotedCase: 'ignored',
  listAliases: 'never',
  groupsByAlias: false,
  implicitRecursion: false,
  mergedColumnsFirst: true,
  swapsRightJoin: false,
  ownMerged: 'own',
  commaJoins: false,
  qualifiesNames: false,
  namesBesideAlias: false,
  mergedByPlace: false,
  equalsNamesArgument: false,
  parenthesisedHints: false,
  quotedPaths: false,
  methods: false,
  rowValues: false,
  dual: false,
};

const byDialect: Readonly<Record<SqlDialect, Partial<NameRules>>> = {
  ansi: { listAliases: 'guess', parenthesisedHints: true, ownMerged: 'joint' },
  athena: { ownMerged: 'none' },
  bigquery: { groupsByAlias: true, commaJoins: true, mergedByPlace: true, quotedPaths: true, rowValues: true },
  clickhouse: {
    quotedCase: 'kept',
    unquotedCase: 'kept',
    listAliases: 'first',
    qualifiesNames: true,
    namesBesideAlias: true,
  },
  databricks: { listAliases: 'last', ownMerged: 'front', commaJoins: true },
  duckdb: {
    listAliases: 'last',
    mergedColumnsFirst: false,
    mergedByPlace: true,
    equalsNamesArgument: true,
    methods: true,
    rowValues: true,
  },
  fabric: { implicitRecursion: true, parenthesisedHints: true },
  hive: { commaJoins: true },
  mysql: { swapsRightJoin: true, dual: true },
  oracle: { quotedCase: 'kept', unquotedCase: 'upper', implicitRecursion: true, dual: true },
  postgres: { quotedCase: 'kept', unquotedCase: 'lower', rowValues: true },
  presto: { ownMerged: 'none' },
  redshift: { listAliases: 'last', mergedByPlace: true },
  snowflake: { quotedCase: 'kept', unquotedCase: 'upper', listAliases: 'last', implicitRecursion: true, dual: true },
  spark: { listAliases: 'last', ownMerged: 'front', commaJoins: true },
  sqlite: { mergedColumnsFirst: false },
  trino: { ownMerged: 'none' },
  tsql: { implicitRecursion: true, parenthesisedHints: true },
};
