import type { SqlDialect } from './dialect.ts';
import {
  closingPlaces,
  isName,
  isSymbol,
  isWord,
  lastOfPath,
  replaced,
  type TextRewrite,
  type Token,
  tokensOf,
  unquotedText,
} from './tokens.ts';

/** Rewrites of statements that load and unload files, in the forms that the parser reads. */
export const fileRewrites: readonly TextRewrite[] = [withUnloadedQuery, withCopiedFile, withQuotedStages];

/** Redshift's and Athena's `UNLOAD ('SELECT …') TO …` and `UNLOAD (SELECT …) TO …`. */
function withUnloadedQuery(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (!isWord(tokens[0], 'unload')) return text;
  // Redshift hides a quote behind a backslash too.
  const [, open, query] = dialect === 'redshift' ? tokensOf(text, 'snowflake') : tokens;
  if (!isSymbol(open, '(') || query === undefined) return text;
  if (query.kind === 'string') return unquotedText(query.text).replaceAll("\\'", "'");
  const end = tokens.find((token) => token.depth === 0 && isSymbol(token, ')'));
  return end === undefined ? text : text.slice(query.start, end.start);
}

/** MySQL's, Hive's and BigQuery's LOAD DATA as `COPY t (a, b) FROM 'file'`. */
function withCopiedFile(text: string, tokens: readonly Token[]): string {
  if (!isWord(tokens[0], 'load') || !isWord(tokens[1], 'data')) return text;
  const into = tokens.findIndex(
    (token) => isWord(token, 'into') || (isWord(token, 'overwrite') && !isWord(tokens[2], 'local', 'inpath')),
  );
  let name = into + 1;
  while (isWord(tokens[name], 'table', 'temp', 'temporary')) name++;
  if (into < 0 || !isName(tokens[name])) return text;
  const last = lastOfPath(tokens, name);
  const columns = [...listedColumns(tokens, last), ...assignedColumns(tokens, last)];
  const list = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
  return `COPY ${text.slice(tokens[name]?.start, tokens[last]?.end)}${list} FROM 'file'`;
}

/** The columns of the list behind a name: MySQL's may be variables, BigQuery's have types. */
function listedColumns(tokens: readonly Token[], last: number): readonly string[] {
  const closes = closingPlaces(tokens);
  const open = tokens.findIndex(
    (token, at) =>
      at > last &&
      token.depth === 0 &&
      isSymbol(token, '(') &&
      !isWord(tokens[at - 1], 'partition', 'files', 'options'),
  );
  const close = closes.get(open);
  if (open < 0 || close === undefined) return [];
  return tokens
    .slice(open + 1, close)
    .filter((token, at) => token.depth === 1 && isName(token) && (at === 0 || isSymbol(tokens[open + at], ',')))
    .map((token) => token.text);
}

const assignedColumns = (tokens: readonly Token[], last: number): readonly string[] => {
  const set = tokens.findIndex((token, at) => at > last && token.depth === 0 && isWord(token, 'set'));
  return tokens.flatMap((token, at) =>
    set >= 0 && at > set && token.depth === 0 && isName(token) && isSymbol(tokens[at + 1], '=') ? [token.text] : [],
  );
};

/** Snowflake's `@stage/day=1/f-2.csv` in quotes: the parser reads only plain words. */
function withQuotedStages(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'snowflake' || !isWord(tokens[0], 'copy')) return text;
  let end = -1;
  return replaced(text, tokens, (token, at) => {
    if (at <= end) return '';
    if (!isSymbol(token, '@') || isName(tokens[at - 1]) === false) return null;
    end = at;
    while (tokens[end + 1]?.start === tokens[end]?.end && !isSymbol(tokens[end + 1], ')', '(', ',', ';')) end++;
    return `'${text.slice(token.start, tokens[end]?.end)}'`;
  });
}
