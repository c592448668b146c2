import { namesByPlace, type SqlDialect } from './dialect.ts';
import { type Analysis, type NameScope, sourceNamed } from './name-scope.ts';
import { pathOf } from './row.ts';
import { qualifiedName } from './star.ts';
import { childOf, childrenOf, holds, nameOf, type Syntax, textOf, unquoted, withoutParens, wordSet } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The name that an item of the select list gives its column; null if the dialect's own choice is not known. */
export function itemName(analysis: Analysis, item: Syntax, scope: NameScope, place: number): SqlName | null {
  const { dialect, rules } = analysis;
  const inner = casts.has(item.kind) ? childOf(item.fields, 'this') : null;
  const path = inner === null ? null : pathOf(inner);
  const isOfField = path !== null && path.length > 1 && sourceNamed(rules, scope, path.slice(0, -1)) === null;
  if (isOfField && namesByText.has(dialect)) return null;
  return nameWithin(analysis, item, scope) ?? outputName(dialect, item, place);
}

/** ClickHouse names a field with the path from its column, and qualifies some names. */
function nameWithin({ dialect, rules }: Analysis, item: Syntax, scope: NameScope): SqlName | null {
  const bare = withoutParens(item);
  const path = dialect === 'clickhouse' && isNamePath(bare) ? (pathOf(bare) ?? []) : [];
  if (path.length < 2) return null;
  const start = Math.max(
    path.findLastIndex((_, at) => sourceNamed(rules, scope, path.slice(0, at)) !== null),
    0,
  );
  const source = sourceNamed(rules, scope, path.slice(0, start));
  const [name, ...fields] = path.slice(start);
  if (name === undefined) return null;
  const own = source !== null && fields.length === 0 ? qualifiedName(name, source, scope.sources) : null;
  return own ?? { text: [name, ...fields].map(({ text }) => text).join('.'), quoted: true };
}

function outputName(dialect: SqlDialect, item: Syntax, place: number): SqlName | null {
  const { kind, fields } = item;
  if (kind === 'alias') return nameOf(fields['alias']);
  if (kind === 'column' || kind === 'identifier') return nameOf(fields['name']);
  if (kind === 'function' && fields['no_parens'] === true && !namesByPlace.has(dialect))
    return namesByText.has(dialect) && dialect !== 'duckdb' ? null : nameOf(fields['name']);
  if (kind === 'pseudocolumn') return unquoted(textOf(fields, 'kind')?.toLowerCase() ?? '');
  const isOfCall = namesByPlace.has(dialect) && holds(fields, ({ kind: part }) => !partsOfPath.has(part));
  if (kind === 'dot' && !isOfCall)
    return namesByText.has(dialect) && !isNamePath(item) ? null : nameOf(fields['field']);
  const inner = childOf(fields, 'this');
  if (kind === 'paren' || kind === 'window_function') return inner === null ? null : outputName(dialect, inner, place);
  if (namesByPlace.has(dialect)) return { text: `_col${place}`, quoted: false };
  if (casts.has(kind)) return inner === null ? null : nameOfCast(dialect, inner);
  if (!namesByFunction.has(dialect)) return null;
  if (kind === 'case') return nameOfCase(dialect, item);
  if (kind === 'subquery') return dialect === 'postgres' && inner !== null ? nameOfSubquery(inner) : null;
  if (passesName.has(kind)) return inner === null ? null : outputName(dialect, inner, place);
  const name = textOf(fields, 'name') ?? nameOfKind(dialect, kind);
  return name === null ? null : { text: name.toLowerCase(), quoted: false };
}

const casts = wordSet('cast try_cast safe_cast');
/** They name what is no path by its text, as they write it; also the cast of a field, but not that of a column. */
const namesByText = wordSet('clickhouse databricks duckdb spark');
/** PostgreSQL's `FigureColname`. */
const namesByFunction = wordSet('postgres redshift');
const passesName = wordSet('within_group subscript collation');

const partsOfPath = wordSet('dot paren column identifier');

/** Whether an item is names and dots, and no place of an element among them. */
const isNamePath = (item: Syntax): boolean => pathOf(item)?.every(({ text }) => !/^[\d^]/.test(text)) ?? false;

/** PostgreSQL names the cast of an unnamed value after its type: that name is not known here. */
function nameOfCast(dialect: SqlDialect, inner: Syntax): SqlName | null {
  const isKept = namesByFunction.has(dialect)
    ? !isUnnamed(inner)
    : keepsNameOfCast.has(dialect) && inner.kind === 'column';
  return isKept ? outputName(dialect, inner, 0) : null;
}

const keepsNameOfCast = wordSet('ansi spark databricks');

/** PostgreSQL prefers the name of ELSE. */
function nameOfCase(dialect: SqlDialect, item: Syntax): SqlName | null {
  const otherwise = childOf(item.fields, 'else_');
  if (otherwise === null || isUnnamed(item)) return { text: 'case', quoted: false };
  return outputName(dialect, otherwise, 0);
}

/** Whether PostgreSQL finds no name in a value: in a constant or an operator. */
function isUnnamed({ kind, fields }: Syntax): boolean {
  const inner = childOf(fields, kind === 'case' ? 'else_' : 'this');
  if (kind === 'case') return inner === null || isUnnamed(inner);
  if (kind === 'paren' || casts.has(kind)) return inner !== null && isUnnamed(inner);
  return constantsAndOperators.has(kind);
}

const constantsAndOperators = wordSet(
  'literal boolean null interval add sub mul div mod neg concat and or not eq neq lt lte gt gte is_null in like i_like between',
);

function nameOfSubquery({ fields }: Syntax): SqlName | null {
  const [first] = childrenOf(fields, 'expressions');
  return first === undefined ? null : outputName('postgres', first, 0);
}

function nameOfKind(dialect: SqlDialect, kind: string): string | null {
  if (kind === 'array_func') return 'array';
  if (kind === 'n_tile') return 'ntile';
  if (kind === 'exists') return dialect === 'postgres' ? kind : null;
  return namedAfterKind.has(kind) ? kind : null;
}

/** Kinds of calls whose name in SQL is no other. */
const namedAfterKind = wordSet(
  `abs array_agg avg coalesce count cume_dist dense_rank exp first_value lag last_value lead ln lower max min nth_value
  percent_rank percentile_cont percentile_disc rank row_number string_agg sum upper`,
);
