import type { Token } from '../tokens.ts';
import { isSymbol, isWord, unquotedText } from '../tokens.ts';
import type { BodyText } from './body-text.ts';

import type { Instruction } from './instruction.ts';

/** The texts that a variable may hold; null for one that is computed. */
export type Texts = ReadonlySet<string> | null;

/** Names the parameters of a text as variables. */
export type Bind = (text: string) => string;

/** A statement whose text a variable holds. */
type Dynamic = {
  readonly kind: 'dynamic';
  readonly name: string;
  readonly into: readonly string[];
  readonly bind: Bind;
};

/** A body that is read from its begin to its end. */
export type Walk = BodyText & {
  readonly found: (Instruction | Dynamic)[];
  /** The queries of cursors and result sets, by name. */
  readonly cursors: Map<string, string>;
  /** The names of a cursor's parameters. */
  readonly parameters: Map<string, readonly string[]>;
  readonly texts: Map<string, Texts>;
  /** Procedures whose bodies are in the same text, and whether they give values back. */
  readonly routines: Map<string, boolean>;
  /** The instructions of a body that a literal holds; null if bodies are nested too deep. */
  readonly within: (text: string) => readonly Instruction[] | null;
  /** Read what begins at a place: one statement, or all until one of some words begins one. */
  readonly statement: (at: number) => number;
  readonly statements: (from: number, ...ends: string[]) => number;
  /** Reads what a block declares, and returns the place of its BEGIN. */
  readonly declarations: (from: number) => number;
  /** How many conditions, loops, blocks, transactions and statements are around. */
  readonly around: { parts: number; loops: number; blocks: number; transactions: number; statements: number };
};

/** Returns the place behind what begins at `at`; null if the step does not read it. */
export type Step = (walk: Walk, at: number) => number | null;

export const isQueryWord = (token: Token | undefined): boolean => isWord(token, 'select', 'with', 'values', 'table');

export const computedText = 'a statement is computed when it runs';
export const calls = 'what a called procedure does is not known';
export const unread = 'a statement of the body is not understood';

export const open = ({ found }: Walk, reason: string): void => {
  found.push({ kind: 'open', reason });
};

const mostTexts = 8;

/** Values for variables; also the texts that they may hold, which may be statements. */
export function assign(walk: Walk, names: readonly string[], query: string, texts: Texts = null): void {
  walk.found.push({ kind: 'assign', names, query });
  for (const name of names) {
    const key = variableKey(name);
    const before = walk.around.parts === 0 ? new Set<string>() : (walk.texts.get(key) ?? new Set<string>());
    const isKnown = texts !== null && walk.texts.get(key) !== null && before.size + texts.size <= mostTexts;
    walk.texts.set(
      key,
      isKnown || (texts !== null && walk.around.parts === 0) ? new Set([...before, ...(texts ?? [])]) : null,
    );
  }
}

/** The expression between two places as the value of a variable. */
export function assignExpression(walk: Walk, name: string, from: number, end: number): void {
  const { tokens, closing, slice } = walk;
  const isQuery = isSymbol(tokens[from], '(') && closing(from) === end - 1 && isQueryWord(tokens[from + 1]);
  assign(walk, [name], isQuery ? slice(from + 1, end - 1) : `SELECT ${slice(from, end)}`, textsOf(walk, from, end));
}

export const variableKey = (name: string): string => name.toLowerCase().replace(/^:/, '');

/** The texts that an expression of literals and variables with known texts may give. */
export function textsOf(walk: Walk, from: number, end: number): Texts {
  const { tokens, closing, nameAt, texts } = walk;
  if (isSymbol(tokens[from], '(') && closing(from) === end - 1) return textsOf(walk, from + 1, end - 1);
  let known: readonly string[] = [''];
  for (let at = from; at < end; at++) {
    const token = tokens[at];
    const isPrefix =
      isWord(token, 'n', 'r', 'e') && tokens[at + 1]?.kind === 'string' && tokens[at + 1]?.start === token?.end;
    if (isPrefix) at++;
    const part = tokens[at];
    const held = part?.kind === 'string' ? new Set([unquotedText(part.text)]) : texts.get(variableKey(nameAt(at)));
    if (!held || held.size * known.length > mostTexts || held.size === 0) return null;
    known = known.flatMap((before) => [...held].map((text) => before + text));
    if (isSymbol(part, '@', ':')) at++;
    if (at + 1 < end && !isSymbol(tokens[at + 1], '+', '||')) return null;
    at++;
  }
  return from < end ? new Set(known) : null;
}

/** Runs the text between two places as statements; what they give is kept by variables. */
export function runText(
  walk: Walk,
  from: number,
  end: number,
  { into = [], bind = (text) => text }: { readonly into?: readonly string[]; readonly bind?: Bind } = {},
): void {
  const { nameAt, found, around, placeIn } = walk;
  const texts = textsOf(walk, from, end);
  // A loop may give a variable another text before it comes here again.
  const isName = (place: number) => walk.texts.has(variableKey(nameAt(place)));
  const names = placeIn(from, end, (_, place) => isName(place));
  const isVariable = names >= 0 && isName(from) && end - from <= 2;
  if (texts === null || (around.loops > 0 && names >= 0 && !isVariable)) open(walk, computedText);
  else if (around.loops > 0 && isVariable) found.push({ kind: 'dynamic', name: nameAt(from), into, bind });
  else for (const text of texts) found.push(...instructionsOf(walk, bind(text), into));
}

export function instructionsOf({ within }: Walk, text: string, into: readonly string[]): readonly Instruction[] {
  if (into.length > 0) return [{ kind: 'assign', names: into, query: text }];
  return within(text) ?? [{ kind: 'open', reason: computedText }];
}
