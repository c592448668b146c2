import type { SqlDialect } from './dialect.ts';
import { definesStream, isListedCluster } from './form-rewrites.ts';
import { fieldsOf, listOf, recordsOf, type Syntax, type SyntaxFields } from './syntax.ts';
import { isSymbol, isWord, tokensOf } from './tokens.ts';
import type { ParsedSql } from './types.ts';

/**
 * Whether the tree holds fewer queries or joins than the text: the parser drops the WITH in front of a bracketed query
 * that has a LIMIT, and what it drops would be missed in silence. Some words of FROM it takes for names.
 */
export function omitsPart(
  { keywords }: ParsedSql & { readonly ok: true },
  nodes: readonly Syntax[],
  text: string,
  dialect: SqlDialect,
): boolean {
  let selects = 0;
  let clauses = 0;
  let joins = 0;
  for (const { kind, fields } of nodes) {
    if (kind === 'select') selects++;
    if (kind === 'select' && fieldsOf(fields['from']) !== null) clauses++;
    if (kind === 'grant' || kind === 'revoke') selects += recordsOf(fields, 'privileges').filter(isSelect).length;
    if (kind === 'table' && holdsKeyword(fields, text, dialect)) return true;
    for (const key of joinLists) joins += listOf(fields[key]).length;
  }
  if (selects > 0 && clauses === 0 && hasFromClause(text, dialect)) return true;
  if (dialect === 'clickhouse' && endsAtCluster(text)) return true;
  // Words in strings and comments count too here, so that the dearer count is seldom needed.
  if (selects >= wordsIn(text, /\bselect\b/gi) && joins >= wordsIn(text, /\bjoin\b/gi)) return false;
  const found = keywords();
  return selects < found.select || joins < found.join;
}

/** Of `a ? b : c ? d : e FROM t` the parser reads no further than it understands. */
function hasFromClause(text: string, dialect: SqlDialect): boolean {
  if (!/\bfrom\b/i.test(text)) return false;
  const [first, ...tokens] = tokensOf(text, dialect).filter(({ depth }) => depth === 0);
  if (!isWord(first, 'select', 'with', 'insert')) return false;
  return tokens.some((token, at) => isWord(token, 'from') && !isWord(tokens[at - 1], 'distinct'));
}

/** Behind a comma ClickHouse's `cluster(…)` ends what the parser reads. */
function endsAtCluster(text: string): boolean {
  if (!/\bcluster\b/i.test(text)) return false;
  const tokens = tokensOf(text, 'clickhouse');
  return tokens.some((_, at) => isListedCluster(tokens, at));
}

/** `(TABLE t)`, Databricks' `STREAM t` and Oracle's `t PARTITION (p)`: the first word is no name, the second no alias. */
function holdsKeyword({ name, alias }: SyntaxFields, text: string, dialect: SqlDialect): boolean {
  if (isBareWord(name, 'table')) return true;
  if (dialect === 'databricks' && isBareWord(name, 'stream') && fieldsOf(alias) !== null)
    return !definesStream(tokensOf(text, dialect));
  return dialect === 'oracle' && (isBareWord(alias, 'partition') || isBareWord(alias, 'subpartition'));
}

function isBareWord(value: unknown, word: string): boolean {
  const name = fieldsOf(value);
  return String(name?.['name']).toLowerCase() === word && name?.['quoted'] !== true;
}

/** A text with quotes around the columns that the parser takes for keywords and leaves out: `if + 1`, `binary in (1)`. */
export function withQuotedColumns(text: string, dialect: SqlDialect): string {
  if (!/\b(if|binary)\b/i.test(text) || reservedIf.has(dialect)) return text;
  const quote = backticks.has(dialect) ? '`' : '"';
  const words = dialect === 'mysql' ? ['if'] : ['if', 'binary'];
  const tokens = tokensOf(text, dialect);
  const columns = tokens.filter((token, place) => {
    const next = tokens[place + 1];
    return isWord(token, ...words) && (isSymbol(next, '+', '-', ':', '[') || isWord(next, 'in'));
  });
  return columns.toReversed().reduce((whole, { start, end }) => {
    return whole.slice(0, start) + quote + whole.slice(start, end) + quote + whole.slice(end);
  }, text);
}

const reservedIf: ReadonlySet<SqlDialect> = new Set(['fabric', 'tsql']);
const backticks: ReadonlySet<SqlDialect> = new Set(['bigquery', 'clickhouse', 'databricks', 'hive', 'mysql', 'spark']);

const isSelect = ({ name }: SyntaxFields): boolean => name === 'SELECT';

const joinLists = ['joins', 'from_joins', 'table_joins'];
const wordsIn = (text: string, word: RegExp): number => text.match(word)?.length ?? 0;
