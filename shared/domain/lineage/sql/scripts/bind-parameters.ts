import { isTsql, type SqlDialect } from '../dialect.ts';
import { type Change, isName, isSymbol, isWord, type Token, tokensOf, unquotedText, withChanges } from '../tokens.ts';
import { items } from './read-variables.ts';
import { assign, type Bind, type Walk } from './walk.ts';

/** Keeps the values that `USING x, y` or the arguments of `sp_executesql` pass to a text as variables. */
export function bindParameters(walk: Walk, from: number, end: number): Bind {
  const { tokens, dialect, closing, nameAt, placeIn, slice } = walk;
  const isList = isSymbol(tokens[from], '(') && closing(from) === end - 1;
  const sign = isTsql(dialect) ? '@' : dialect === 'snowflake' ? ':' : '';
  const variables = new Map<string, string>();
  const text = isTsql(dialect) ? tokens[placeIn(from, end, ({ kind }) => kind === 'string')]?.text : undefined;
  const words = tokensOf(unquotedText(text ?? ''), dialect);
  const declared = words.flatMap((word, place) => (isSymbol(words[place - 1], '@') ? word.text : []));
  for (const [first, last] of items(walk, isList ? from + 1 : from, isList ? end - 1 : end)) {
    const isMode = isWord(tokens[first], 'in', 'out') && first + 1 < last;
    const isNamed = isSymbol(tokens[first], '@') && isSymbol(tokens[first + 2], '=');
    const alias = dialect === 'bigquery' && isWord(tokens[last - 2], 'as');
    const ending = alias || isWord(tokens[last - 1], 'output', 'out') ? last - (alias ? 2 : 1) : last;
    const start = isNamed ? first + 3 : isMode ? first + 1 : first;
    if (text !== undefined && tokens[last - 1]?.text === text) continue;
    const variable = `${sign}bound_${variables.size + 1}`;
    const name = isNamed ? tokens[first + 1]?.text : alias ? nameAt(last - 1) : declared[variables.size];
    variables.set((name ?? String(variables.size + 1)).toLowerCase(), variable);
    assign(walk, [variable], `SELECT ${slice(start, ending)}`);
  }
  return (text) => withVariables(text, dialect, variables);
}

function withVariables(text: string, dialect: SqlDialect, variables: ReadonlyMap<string, string>): string {
  const tokens = tokensOf(text, dialect);
  const names = isWord(tokens[0], 'begin', 'declare') ? new Map<string, number>() : null;
  let count = 0;
  const changes = tokens.flatMap((token, at): Change[] => {
    const next = tokens[at + 1];
    let key = isParameter(token, next, dialect) ? next?.text.toLowerCase() : undefined;
    // Oracle counts the places of a statement, and the names of a block.
    if (isSymbol(token, '?') || (key !== undefined && dialect === 'oracle')) {
      const place = (key !== undefined && names?.get(key)) || ++count;
      if (key !== undefined) names?.set(key, place);
      key = String(place);
    }
    const variable = key === undefined ? undefined : variables.get(key);
    if (variable === undefined) return [];
    return [{ start: token.start, end: isSymbol(token, '?') ? token.end : (next?.end ?? token.end), text: variable }];
  });
  return withChanges(text, changes);
}

/** `$1`, `:1`, Oracle's `:name`, and `@name`. */
function isParameter(token: Token, next: Token | undefined, dialect: SqlDialect): boolean {
  if (token.end !== next?.start) return false;
  if (isSymbol(token, '@')) return (isTsql(dialect) || dialect === 'bigquery') && isName(next);
  if (isSymbol(token, '$')) return next.kind === 'number';
  return isSymbol(token, ':') && (next.kind === 'number' || (dialect === 'oracle' && isName(next)));
}
