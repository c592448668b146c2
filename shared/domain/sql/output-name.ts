import type { SqlDialect } from './dialect.ts';
import { childOf, nameOf, type Syntax, type SyntaxFields, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The name that an item of the select list gives its column; null where the dialect's own choice is not known. */
export function outputName(dialect: SqlDialect, { kind, fields }: Syntax, place: number): SqlName | null {
  if (kind === 'alias') return nameOf(fields['alias']);
  if (kind === 'column' || kind === 'identifier') return nameOf(fields['name']);
  if (kind === 'function' && fields['no_parens'] === true) return nameOf(fields['name']);
  if (kind === 'dot') return nameOf(fields['field']);
  if (kind === 'cast' || kind === 'try_cast' || kind === 'safe_cast') return castName(dialect, fields);
  if (kind === 'paren' || kind === 'window_function') {
    const inner = childOf(fields, 'this');
    return inner === null ? null : outputName(dialect, inner, place);
  }
  return defaultName(dialect, kind, fields, place);
}

function castName(dialect: SqlDialect, fields: SyntaxFields): SqlName | null {
  const inner = childOf(fields, 'this');
  const keeps = inner !== null && keepsNameOfCast.has(dialect) && ['column', 'dot', 'cast'].includes(inner.kind);
  return keeps ? outputName(dialect, inner, 0) : null;
}

const keepsNameOfCast: ReadonlySet<string> = new Set([
  'ansi',
  'postgres',
  'redshift',
  'spark',
  'databricks',
  'clickhouse',
]);

/** PostgreSQL names a column after its function, BigQuery and Trino after its place. */
function defaultName(dialect: SqlDialect, kind: string, fields: SyntaxFields, place: number): SqlName | null {
  if (dialect === 'trino' || dialect === 'athena' || dialect === 'presto')
    return { text: `_col${place}`, quoted: false };
  if (dialect !== 'postgres' && dialect !== 'redshift') return null;
  const name = textOf(fields, 'name') ?? (namedAfterKind.has(kind) ? kind : null);
  return name === null ? null : { text: name.toLowerCase(), quoted: false };
}

const namedAfterKind: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'case',
  'coalesce',
  'array_agg',
  'string_agg',
]);
