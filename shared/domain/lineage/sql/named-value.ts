import { isDatePartName } from './date-part.ts';
import type { SqlDialect } from './dialect.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { merge, nothing, through, unknown } from './provenance.ts';
import { isCallWithoutBrackets } from './pseudo-column.ts';
import { presenceOf, valueNamed } from './resolve-name.ts';
import { columnAt, pathOf } from './row.ts';
import { fieldsOf, nameOf, type Syntax, type SyntaxFields, stringOf, syntaxOf, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Provenance } from './values.ts';

/** A name or a dotted path; `@name`, which the parser gives as a column, is a variable. */
export function namedValue(analysis: Analysis, _fields: SyntaxFields, scope: NameScope, node: Syntax): Provenance {
  analysis.visit(node.fields);
  const path = pathOf(node) ?? [];
  const [first, ...more] = path;
  if (first === undefined || more.length > 0 || first.quoted) return valueNamed(analysis, path, scope);
  if (first.text.startsWith('@')) return nothing;
  const place = analysis.dialect === 'duckdb' ? /^#(\d{1,4})$/.exec(first.text)?.[1] : undefined;
  return place === undefined ? wordValue(analysis, first, scope) : placedValue(Number(place), scope);
}

/** A word without qualifier and brackets: a column, or a function such as `current_date`. */
export function wordValue(analysis: Analysis, word: SqlName, scope: NameScope): Provenance {
  const isCall = isCallWithoutBrackets(analysis.dialect, word) && presenceOf(analysis, word, scope) !== 'has';
  return isCall ? nothing : valueNamed(analysis, [word], scope);
}

/**
 * The column that the parser takes for a keyword: `interval - 1` is no interval, and `list[1]` no list, if there is a
 * column of that name.
 */
export function keywordColumn(analysis: Analysis, node: Syntax, scope: NameScope): Provenance {
  const word = columnLikeKeyword(node);
  if (word === null) return nothing;
  const found = presenceOf(analysis, word, scope);
  const isKeyword = word.text === 'array' && bracketArrays.has(analysis.dialect);
  return found === 'has' || (found === 'may' && !isKeyword) ? valueNamed(analysis, [word], scope) : nothing;
}

function columnLikeKeyword({ kind, fields }: Syntax): SqlName | null {
  const isInterval = kind === 'interval' && fieldsOf(fields['unit']) === null && stringOf(fields['this']) === null;
  if (isInterval) return { text: 'interval', quoted: false };
  if (kind !== 'array_func' || fields['bracket_notation'] === true) return null;
  return { text: fields['use_list_keyword'] === true ? 'list' : 'array', quoted: false };
}

/** Dialects in which `ARRAY[…]` makes an array. */
const bracketArrays: ReadonlySet<SqlDialect> = new Set([
  ...(['ansi', 'athena', 'bigquery', 'duckdb', 'postgres', 'presto', 'redshift', 'trino'] as const),
]);

/** EXTRACT. The parser reads Impala's `extract(d, 'day')` as `extract(d from 'day')`: what it takes for a part is then a column. */
export function datePartValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(analysis, fields['this'], scope);
  const text = textOf(fields, 'field') ?? textOf(fieldsOf(fields['field']) ?? {}, 'Custom');
  const word = text === null ? null : { text: text.toLowerCase(), quoted: false };
  const isSwapped = isDatePartName(stringOf(fields['this']) ?? '');
  const isColumn = (name: SqlName) =>
    isSwapped || (!isDatePartName(name.text) && presenceOf(analysis, name, scope) === 'has');
  const column = word !== null && isColumn(word) ? valueNamed(analysis, [word], scope) : nothing;
  return through(merge([value, column]), 'TRANSFORMATION');
}

/** `$1` is a column of a staged file or of the only relation; any other parameter is a constant. */
export function parameterValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  if (fields['style'] !== 'Dollar' || typeof fields['index'] !== 'number') return nothing;
  return analysis.dialect === 'snowflake' ? placedValue(fields['index'], scope) : nothing;
}

/** The column at a place, which counts from one: Snowflake's `$1` and DuckDB's `#1`. */
function placedValue(place: number, { sources }: NameScope): Provenance {
  const [source, ...more] = sources;
  const match = source === undefined || more.length > 0 ? null : columnAt(source.row, place);
  return match?.certainty === 'has' ? match.value : unknown('a column is named by its place in a file');
}

/** Hierarchical queries: the value of a column in the root row. */
export function rootValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  return through(bareValue(analysis, fields['this'], scope), 'TRANSFORMATION');
}

/** `a : b` and `KEY a VALUE b` of a JSON object. */
export function keyedValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(analysis, fields['expression'], scope);
  return through(merge([bareValue(analysis, fields['this'], scope), value]), 'TRANSFORMATION');
}

/** The value of a column that the parser gives as a bare word. */
function bareValue(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  const path = wordPath(syntaxOf(value));
  return path === null ? analysis.expression(analysis, value, scope) : valueNamed(analysis, path, scope);
}

function wordPath(node: Syntax | null): readonly SqlName[] | null {
  const name = nameOf(node?.fields[node.kind === 'dot' ? 'field' : 'this']);
  if (node === null || name === null) return null;
  if (node.kind === 'var') return [name];
  const before = node.kind === 'dot' ? wordPath(syntaxOf(node.fields['this'])) : null;
  return before === null ? null : [...before, name];
}
