import { isTsql, type SqlDialect } from './dialect.ts';
import {
  closingPlaces,
  isName,
  isSymbol,
  isWord,
  lastOfPath,
  replaced,
  type TextRewrite,
  type Token,
  without,
} from './tokens.ts';

/** Rewrites of how UPDATE, DELETE, INSERT and MERGE name what they write, which the parser does not accept. */
export const targetRewrites: readonly TextRewrite[] = [
  withoutHints,
  withPlainAssignments,
  withoutErrorLog,
  withNamedView,
  withConditionOfJoin,
  withListedTargets,
  withExistingRows,
  withSingleRenames,
  withPlainAlterations,
  withoutStarOfTarget,
];

const behindTarget = ['set', 'select', 'values', 'using', 'where', 'exec'];

/** SQL Server's `INSERT INTO t WITH (TABLOCK) …` and `UPDATE t WITH (ROWLOCK) SET …`. */
function withoutHints(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (!isTsql(dialect)) return text;
  const closes = closingPlaces(tokens);
  const write = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'insert', 'update', 'delete', 'merge'));
  // `DELETE FROM t WITH (…)`
  const ends = [...behindTarget, ...(isWord(tokens[write], 'delete') ? [] : ['from'])];
  const end = tokens.findIndex((token, at) => at > write && token.depth === 0 && isWord(token, ...ends));
  const hints = tokens.flatMap((token, at) => {
    const isHint = at > write && at < end && isWord(token, 'with') && isSymbol(tokens[at + 1], '(');
    return write >= 0 && isHint ? tokens.slice(at, (closes.get(at + 1) ?? at) + 1) : [];
  });
  return without(text, tokens, new Set(hints));
}

/** SQL Server's `SET a += x` as `SET a = t.a + x`: there a bare name may be of any relation. */
function withPlainAssignments(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (!isTsql(dialect)) return text;
  const owner = ownerOfBareNames(text, tokens);
  const plain = new Map<Token, string>();
  for (const [at, token] of tokens.entries()) {
    const equals = tokens[at + 1];
    const isCompound = isSymbol(token, '+', '-', '*', '/', '%', '&', '|', '^') && isSymbol(equals, '=');
    if (!isCompound || equals?.start !== token.end) continue;
    let first = at - 1;
    while (isSymbol(tokens[first - 1], '.')) first -= 2;
    if (!isWord(tokens[first - 1], 'set') && !isSymbol(tokens[first - 1], ',')) continue;
    const assigned = text.slice(tokens[first]?.start, tokens[at - 1]?.end);
    plain.set(token, '=').set(equals, ` ${first === at - 1 ? owner : ''}${assigned} +`);
  }
  return replaced(text, tokens, (token) => plain.get(token) ?? null);
}

/** What the columns of the target of an UPDATE or MERGE are called by, with a dot. */
function ownerOfBareNames(text: string, tokens: readonly Token[]): string {
  const verb = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'update', 'merge'));
  const first = isWord(tokens[verb + 1], 'into') ? verb + 2 : verb + 1;
  if (verb < 0 || !isName(tokens[first])) return '';
  const last = lastOfPath(tokens, first);
  const alias = tokens[isWord(tokens[last + 1], 'as') ? last + 2 : last + 1];
  if (isName(alias) && !isWord(alias, 'set', 'using')) return `${alias?.text}.`;
  return `${text.slice(tokens[first]?.start, tokens[last]?.end)}.`;
}

/** Oracle's `LOG ERRORS INTO e REJECT LIMIT 1` at the end. */
function withoutErrorLog(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'oracle') return text;
  const log = tokens.find((token, at) => token.depth === 0 && isWord(token, 'log') && isWord(tokens[at + 1], 'errors'));
  return log === undefined ? text : text.slice(0, log.start);
}

/** Oracle's `UPDATE (SELECT …) SET …` and `DELETE FROM (SELECT …)`, whose query gets a name. */
function withNamedView(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'oracle' || !isWord(tokens[0], 'update', 'delete')) return text;
  const open = isWord(tokens[1], 'from') ? 2 : 1;
  const close = isSymbol(tokens[open], '(') ? closingPlaces(tokens).get(open) : undefined;
  const [first, last] = [tokens[open], tokens[close ?? 0]];
  if (close === undefined || first === undefined || last === undefined) return text;
  const alias = tokens[close + 1];
  const isNamed = isName(alias) && !isWord(alias, 'set', 'where');
  const name = isNamed ? alias?.text : 'updated_view';
  const rest = text.slice(isNamed ? alias?.end : last.end);
  return `WITH ${name} AS ${text.slice(first.start, last.end)} ${text.slice(0, first.start)} ${name} ${rest}`;
}

/** MySQL's `UPDATE a JOIN b USING (k) SET …` with ON, and `UPDATE a, (SELECT …) b SET …` with JOIN, which the parser reads. */
function withConditionOfJoin(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'mysql' || !isWord(tokens[0], 'update')) return text;
  const closes = closingPlaces(tokens);
  const end = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'set'));
  const names: string[] = [];
  const dropped = new Set<Token>();
  return replaced(text, tokens, (token, at) => {
    if (dropped.has(token)) return ' ';
    if (at >= end || token.depth > 0) return null;
    if (isWord(tokens[at - 1], 'update', 'join') || isSymbol(tokens[at - 1], ','))
      names.push(nameOfItem(tokens, closes.get(at) ?? at));
    if (isSymbol(token, ',')) return ' JOIN ';
    const close = isWord(token, 'using') ? closes.get(at + 1) : undefined;
    if (close === undefined) return null;
    for (const one of tokens.slice(at + 1, close + 1)) dropped.add(one);
    const columns = tokens.slice(at + 2, close).filter(isName);
    return `ON ${columns.map(({ text: column }) => `${names.at(-2)}.${column} = ${names.at(-1)}.${column}`).join(' AND ')}`;
  });
}

/** The alias of an item of FROM, else the last part of its name. */
function nameOfItem(tokens: readonly Token[], at: number): string {
  const last = lastOfPath(tokens, at);
  const alias = isWord(tokens[last + 1], 'as') ? last + 2 : last + 1;
  const isAlias =
    isName(tokens[alias]) && !isWord(tokens[alias], 'join', 'left', 'right', 'inner', 'cross', 'using', 'on', 'set');
  return tokens[isAlias ? alias : last]?.text ?? '';
}

/** MySQL's `DELETE FROM a, b USING t AS a JOIN u AS b …` as `DELETE a, b FROM …`. */
function withListedTargets(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const using = tokens.findIndex((token) => isWord(token, 'using', 'where', 'join'));
  if (dialect !== 'mysql' || !isWord(tokens[0], 'delete') || !isWord(tokens[using], 'using')) return text;
  return replaced(text, tokens, (token, at) => {
    if (at === using) return 'FROM';
    return at < using && isWord(token, 'from') ? ' ' : null;
  });
}

/** `DELETE FROM t USING schema.s …`, whose dotted names the parser does not read, as rows that exist. */
function withExistingRows(text: string, tokens: readonly Token[]): string {
  const begins = new Set<Token>();
  const ends = new Set<Token>();
  let open: { readonly depth: number; readonly hasUsing: boolean } | null = null;
  for (const [at, token] of tokens.entries()) {
    const { depth } = token;
    if (open?.hasUsing && (depth < open.depth || (depth === open.depth && isWord(token, 'returning')))) {
      addTo(ends, tokens[at - 1]);
      open = null;
    }
    if (isWord(token, 'delete') && isWord(tokens[at + 1], 'from')) open = { depth, hasUsing: false };
    if (open === null || open.hasUsing || depth !== open.depth) continue;
    // MySQL names the relation of a join.
    if (isWord(token, 'where', 'join')) open = null;
    else if (isWord(token, 'using')) {
      begins.add(token);
      open = { depth, hasUsing: true };
    }
  }
  if (open?.hasUsing) addTo(ends, isSymbol(tokens.at(-1), ';') ? tokens.at(-2) : tokens.at(-1));
  return replaced(text, tokens, (token) => {
    if (begins.has(token)) return 'WHERE EXISTS (SELECT 1 FROM';
    return ends.has(token) ? `${token.text})` : null;
  });
}

const addTo = (all: Set<Token>, token: Token | undefined): void => {
  if (token !== undefined) all.add(token);
};

/** MySQL's and ClickHouse's `RENAME TABLE a TO b, c TO d`. */
function withSingleRenames(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (
    (dialect !== 'mysql' && dialect !== 'clickhouse') ||
    !isWord(tokens[0], 'rename') ||
    !isWord(tokens[1], 'table', 'tables')
  )
    return text;
  return replaced(text, tokens, (token, at) => {
    if (at === 0) return 'ALTER';
    if (at === 1) return 'TABLE';
    if (isSymbol(token, ',')) return '; ALTER TABLE';
    return isWord(token, 'to') ? 'RENAME TO' : null;
  });
}

/** ClickHouse's `EXCHANGE TABLES a AND b` and `ALTER TABLE t UPDATE a = x WHERE …`. */
function withPlainAlterations(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'clickhouse') return text;
  if (isWord(tokens[0], 'exchange') && isWord(tokens[1], 'tables'))
    return replaced(text, tokens, (token, at) => ['ALTER', 'TABLE'][at] ?? (isWord(token, 'and') ? 'SWAP WITH' : null));
  const [first, verb] = [tokens[2], tokens[lastOfPath(tokens, 2) + 1]];
  if (!isWord(tokens[0], 'alter') || first === undefined || !isWord(verb, 'update')) return text;
  return `UPDATE ${text.slice(first.start, verb?.start)} SET ${text.slice(verb?.end)}`;
}

/** MySQL's `DELETE a.*, b.* FROM …`. */
function withoutStarOfTarget(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'mysql' || !isWord(tokens[0], 'delete')) return text;
  const from = tokens.findIndex((token) => isWord(token, 'from', 'using'));
  const stars = tokens.slice(0, from).flatMap((token, at) => {
    const next = tokens[at + 1];
    return isSymbol(token, '.') && isSymbol(next, '*') && next ? [token, next] : [];
  });
  return without(text, tokens, new Set(stars));
}
