import type { SqlDialect } from './dialect.ts';
import { fieldsOf, listOf, type Syntax, tableNameOf } from './syntax.ts';
import { isSymbol, type Token } from './tokens.ts';
import type { RelationName } from './types.ts';

/** A text in another form of the same meaning; a text without the syntax that it is for stays as it is. */
export type TextRewrite = (text: string, tokens: readonly Token[], dialect: SqlDialect) => string;

/** A text with other words for some of its tokens; null keeps a token. */
export function replaced(
  text: string,
  tokens: readonly Token[],
  replacement: (token: Token, place: number) => string | null,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const [place, token] of tokens.entries()) {
    const other = replacement(token, place);
    if (other === null) continue;
    parts.push(text.slice(from, token.start), other);
    from = token.end;
  }
  return parts.join('') + text.slice(from);
}

/** A text without some of its tokens. */
export function without(text: string, tokens: readonly Token[], dropped: ReadonlySet<Token>): string {
  return dropped.size === 0 ? text : replaced(text, tokens, (token) => (dropped.has(token) ? ' ' : null));
}

/** The place of the bracket that closes the one at a place. */
export function closingPlaces(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const [place, token] of tokens.entries()) {
    if (isSymbol(token, '(')) open.push(place);
    const start = isSymbol(token, ')') ? open.pop() : undefined;
    if (start !== undefined) closes.set(start, place);
  }
  return closes;
}

/** The texts between the commas of the outermost level. */
export function listItems(text: string, tokens: readonly Token[]): readonly string[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return [];
  const commas = tokens.filter((token) => token.depth === first.depth && isSymbol(token, ','));
  return [...commas.map(({ start }) => start), last.end].map((end, at) =>
    text.slice(commas[at - 1]?.end ?? first.start, end),
  );
}

/** A relation and the name that its rows have from then on. */
export type Renaming = {
  readonly from: RelationName;
  readonly to: RelationName;
  /** The rows of the other have the first name then. */
  readonly isSwap: boolean;
};

/** `ALTER TABLE t RENAME TO u`, and Snowflake's `SWAP WITH u`; null for any other statement. */
export function renamingOf({ kind, fields }: Syntax): Renaming | null {
  if (kind !== 'alter_table') return null;
  const from = tableNameOf(fieldsOf(fields['name']) ?? {});
  const [only, ...more] = listOf(fields['actions']).map((action) => fieldsOf(action) ?? {});
  const swapped = fieldsOf(only?.['SwapWith']);
  const named = swapped ?? fieldsOf(only?.['RenameTable']);
  const to = named === null || more.length > 0 ? [] : tableNameOf(named);
  if (from.length === 0 || to.length === 0) return null;
  // A new name of one part stays in the schema.
  return { from, isSwap: swapped !== null, to: to.length === 1 ? [...from.slice(0, -1), ...to] : to };
}
