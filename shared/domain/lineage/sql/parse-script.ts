import { type Budget, BudgetExceeded, spendFrom } from '../../base/budget.ts';
import { countTokens, parseBudget, tooComplex } from './budget.ts';
import { createdQuery } from './created-query.ts';
import { isTsql, type SqlDialect } from './dialect.ts';
import { definesStream, isListedCluster } from './form-rewrites.ts';
import { withoutFromFirst } from './from-first.ts';
import { withQueriedSemanticViews } from './semantic-view.ts';
import { withPrecedence } from './set-operations.ts';
import { splitStatements } from './split-statements.ts';
import { fieldsOf, listOf, nodesIn, recordsOf, type Syntax, type SyntaxFields, syntaxOf } from './syntax.ts';
import { tokenRewrites } from './token-rewrites.ts';
import {
  type Change,
  isName,
  isSymbol,
  isWord,
  lastOfPath,
  quoteOfNames,
  replaced,
  tokensOf,
  unquotedText,
  withChanges,
  withPlainComments,
} from './tokens.ts';
import type { ParsedSql, SqlParser } from './types.ts';
import { withNamedSubqueries } from './unnamed-subqueries.ts';

export type ParsedStatement = {
  readonly node: Syntax;
  /** Every node of its tree, outermost first. */
  readonly nodes: readonly Syntax[];
  /** The text that its names are placed in. */
  readonly text: string;
};

export type ParsedScript =
  | { readonly ok: true; readonly statements: readonly ParsedStatement[] }
  | { readonly ok: false; readonly reason: string };

/** Tries other forms of what the parser refuses. Only these cost budget: the first attempt is linear in the text. */
export function parsedScript(
  parser: SqlParser,
  written: string,
  dialect: SqlDialect,
  documents: readonly Budget[] = [],
): ParsedScript {
  if (written.trim() === '') return { ok: false, reason: 'the statement is empty' };
  const tokens = countTokens(written);
  if (tokens === null) return { ok: false, reason: tooComplex };
  const spend = spendFrom([parseBudget(), ...documents]);
  try {
    return likeliestParse(parser, withPlainComments(written, dialect), dialect, () => spend(tokens));
  } catch (error) {
    if (error instanceof BudgetExceeded) return { ok: false, reason: tooComplex };
    throw error;
  }
}

function likeliestParse(parser: SqlParser, written: string, dialect: SqlDialect, retry: () => void): ParsedScript {
  const named = withDefaultSchema(withGivenNames(withPlainQuotes(written, dialect), dialect), dialect);
  const text = withNamedSubqueries(
    withQueriedSemanticViews(withQueriedRelations(withQuotedColumns(named, dialect), dialect), dialect),
    dialect,
  );
  const asWritten = parsedText(parser, text, dialect);
  if (asWritten.ok && !asWritten.statements.some(({ node }) => opaqueKinds.has(node.kind))) return asWritten;
  if (!asWritten.ok && asWritten.reason === tooComplex) return asWritten;
  for (const texts of rewrittenTexts(text, dialect)) {
    retry();
    const parsed = parsedTexts(parser, texts, dialect);
    if (parsed.ok && (!asWritten.ok || isBetter(parsed, asWritten))) return parsed;
  }
  for (const other of dialect === 'ansi' && !asWritten.ok ? likelyDialects : []) {
    retry();
    const parsed = parsedText(parser, text, other);
    if (parsed.ok) return parsed;
  }
  return asWritten;
}

/** Kinds of nodes that the parser keeps as text, or parses as an expression. */
const opaqueKinds: ReadonlySet<string> = new Set(['alias', 'column', 'command', 'load_data', 'raw']);

type Parsed = ParsedScript & { readonly ok: true };

function isBetter(parsed: Parsed, asWritten: Parsed): boolean {
  const opaque = ({ statements }: Parsed) => statements.filter(({ node }) => opaqueKinds.has(node.kind)).length;
  return opaque(parsed) < opaque(asWritten);
}

/** The dialects that differ most from each other: a text of an unknown one is in one of them. */
const likelyDialects: readonly SqlDialect[] = ['spark', 'bigquery', 'snowflake', 'duckdb', 'tsql'];

function parsedTexts(parser: SqlParser, texts: readonly string[], dialect: SqlDialect): ParsedScript {
  const statements: ParsedStatement[] = [];
  for (const text of texts) {
    const parsed = parsedText(parser, text, dialect);
    if (!parsed.ok) return parsed;
    statements.push(...parsed.statements);
  }
  return { ok: true, statements };
}

function parsedText(parser: SqlParser, text: string, dialect: SqlDialect): ParsedScript {
  const parsed = parser(text, dialect);
  if (!parsed.ok) return parsed;
  const trees = withPrecedence(text, parsed.statements, dialect).map((value) => ({
    node: syntaxOf(value),
    nodes: nodesIn(value),
  }));
  const all = trees.flatMap(({ nodes }) => nodes);
  if (omitsPart(parsed, all, text, dialect))
    return { ok: false, reason: 'the SQL parser left out a part of the statement' };
  return { ok: true, statements: trees.flatMap(({ node, nodes }) => (node === null ? [] : { node, nodes, text })) };
}

/** Oracle's `q'[it's]'` as `'it''s'`. */
function withPlainQuotes(text: string, dialect: SqlDialect): string {
  if (dialect !== 'oracle' || !/q'/i.test(text)) return text;
  return replaced(text, tokensOf(text, dialect), ({ kind, text: quoted }) =>
    kind === 'string' && /^n?q'/i.test(quoted) ? `'${unquotedText(quoted).replaceAll("'", "''")}'` : null,
  );
}

/** Snowflake's and Databricks' `IDENTIFIER('s.t')` as the name that it gives. */
function withGivenNames(text: string, dialect: SqlDialect): string {
  if (!/\bidentifier\b/i.test(text) || !['snowflake', 'databricks', 'spark'].includes(dialect)) return text;
  const tokens = tokensOf(text, dialect);
  const isGiven = (at: number) =>
    isWord(tokens[at], 'identifier') &&
    !isWord(tokens[at - 2], 'table') &&
    isSymbol(tokens[at + 1], '(') &&
    tokens[at + 2]?.kind === 'string' &&
    isSymbol(tokens[at + 3], ')') &&
    !/[^\w$."` ]/.test(tokens[at + 2]?.text.slice(1, -1) ?? '-');
  return replaced(text, tokens, (token, at) => {
    if (isGiven(at) || isGiven(at - 1) || isGiven(at - 3)) return isGiven(at - 3) ? '' : ' ';
    return isGiven(at - 2) ? token.text.slice(1, -1) : null;
  });
}

/** A text with the schema that `database..table` leaves out, which the parser does not tell from `database.table`. */
function withDefaultSchema(text: string, dialect: SqlDialect): string {
  const schema = defaultSchemas[dialect];
  if (schema === undefined || !text.includes('..')) return text;
  const tokens = tokensOf(text, dialect);
  return replaced(text, tokens, (token, place) => {
    const isSecond = isSymbol(token, '.') && isSymbol(tokens[place - 1], '.');
    return isSecond && isName(tokens[place - 2]) && isName(tokens[place + 1]) ? `${schema}.` : null;
  });
}

const defaultSchemas: Partial<Record<SqlDialect, string>> = { fabric: 'dbo', snowflake: 'PUBLIC', tsql: 'dbo' };

/** Other texts of the same meaning, the likeliest first, each of one or more statements. */
function* rewrittenTexts(text: string, dialect: SqlDialect): Generator<readonly string[]> {
  const tokens = tokensOf(text, dialect);
  const statements = splitStatements(text, tokens, dialect).filter((part) => !definesFunction(part, dialect));
  if (statements.length === 0) return;
  const rewritten = statements.flatMap((statement) => rewrittenStatement(statement, dialect));
  yield rewritten;
  const queries = rewritten.map((statement) => createdQuery(statement, dialect));
  if (queries.some((query, place) => query !== rewritten[place])) yield queries;
}

function rewrittenStatement(statement: string, dialect: SqlDialect): readonly string[] {
  let [text, tokens] = [statement, tokensOf(statement, dialect)];
  for (const rewrite of tokenRewrites) {
    const rewritten = rewrite(text, tokens, dialect);
    // Few rewrites concern a text, and its tokens are most of their cost.
    if (rewritten !== text) [text, tokens] = [rewritten, tokensOf(rewritten, dialect)];
  }
  return withoutFromFirst(text, dialect);
}

/** `CREATE FUNCTION` reads nothing, unless a query is within. */
function definesFunction(text: string, dialect: SqlDialect): boolean {
  const tokens = tokensOf(text, dialect);
  const name = tokens.slice(0, 6).findIndex((token) => isWord(token, 'function', 'macro', 'aggregate'));
  return isWord(tokens[0], 'create') && name > 0 && !tokens.some((token) => isWord(token, 'select'));
}

/** The parser drops the WITH of a bracketed query with a LIMIT, and takes some words of FROM for names, silently. */
function omitsPart(
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
    if (recordsOf(fieldsOf(fields['with']) ?? {}, 'ctes').some(isTableOfName)) return true;
    if (kind === 'table' && holdsKeyword(fields, text, dialect)) return true;
    for (const key of joinLists) joins += listOf(fields[key]).length;
  }
  if (selects > 0 && clauses === 0 && hasFromClause(text, dialect)) return true;
  if (dialect === 'clickhouse' && (endsAtCluster(text) || leavesOutList(text))) return true;
  // Words in strings and comments count too here, so that the dearer count is seldom needed.
  if (selects >= wordsIn(text, /\bselect\b/gi) && joins >= wordsIn(text, /\bjoin\b/gi)) return false;
  const found = keywords();
  return selects < found.select || joins < found.join;
}

/** `WITH q AS (TABLE t)`: the parser takes the query for a column with an alias. */
const isTableOfName = (cte: SyntaxFields): boolean =>
  cte['alias_first'] === true && syntaxOf(cte['this'])?.kind === 'alias';

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

/** ClickHouse's `INSERT INTO t (* EXCEPT (a)) …` and `REFRESH … TO t`. */
function leavesOutList(text: string): boolean {
  if (!/\binsert\b|\brefresh\b/i.test(text)) return false;
  const tokens = tokensOf(text, 'clickhouse');
  if (isWord(tokens[0], 'create') && tokens.some((token) => token.depth === 0 && isWord(token, 'refresh')))
    return tokens.some((token, at) => token.depth === 0 && isWord(token, 'to') && isName(tokens[at + 1]));
  const into = tokens.findIndex((token, at) => isWord(token, 'into') && isWord(tokens[at - 1], 'insert'));
  const list = lastOfPath(tokens, into + 1) + 1;
  return into >= 0 && isSymbol(tokens[list], '(') && isSymbol(tokens[list + 1], '*');
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
function withQuotedColumns(text: string, dialect: SqlDialect): string {
  // SQL Server reserves IF.
  if (isTsql(dialect) || !(dialect === 'clickhouse' ? /\b(if|binary|format)\b/i : /\b(if|binary)\b/i).test(text))
    return text;
  const quote = quoteOfNames(dialect);
  const words = dialect === 'mysql' ? ['if'] : ['if', 'binary'];
  const tokens = tokensOf(text, dialect);
  return replaced(text, tokens, (token, place) => {
    const next = tokens[place + 1];
    const isOperand = isSymbol(next, '+', '-', ':', '[') || isWord(next, 'in');
    // ClickHouse's clause has the name of a format.
    const isClause =
      dialect !== 'clickhouse' || isSymbol(next, '(') || (isName(next) && !isWord(next, ...behindValues));
    const isColumn = isWord(token, ...words) ? isOperand : isWord(token, 'format') && !isClause;
    return isColumn ? `${quote}${token.text}${quote}` : null;
  });
}

const behindValues = 'in is not like ilike between and or then else end as from asc desc'.split(' ');

/** ClickHouse's `x IN t` as `x IN (SELECT * FROM t)`, unless the statement calls a value `t`. */
function withQueriedRelations(text: string, dialect: SqlDialect): string {
  if (dialect !== 'clickhouse' || !/\bin\b/i.test(text)) return text;
  const tokens = tokensOf(text, dialect);
  const values = new Set(tokens.flatMap((token, at) => (isWord(tokens[at - 1], 'as') ? [token.text] : [])));
  const relations: Change[] = [];
  for (const [at, word] of tokens.entries()) {
    const first = tokens[at + 1];
    if (!isWord(word, 'in') || !first || !isName(first) || isWord(first, 'partition') || values.has(first.text))
      continue;
    const last = lastOfPath(tokens, at + 1);
    const [start, end] = [first.start, tokens[last]?.end];
    if (end !== undefined && !isSymbol(tokens[last + 1], '(', '['))
      relations.push({ start, end, text: `(SELECT * FROM ${text.slice(start, end)})` });
  }
  return withChanges(text, relations);
}

const isSelect = ({ name }: SyntaxFields): boolean => name === 'SELECT';

const joinLists = ['joins', 'from_joins', 'table_joins'];
const wordsIn = (text: string, word: RegExp): number => text.match(word)?.length ?? 0;
