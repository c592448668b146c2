import { type GapType, gapTypes } from '../../../contract/vocabulary.ts';

export type Rule =
  | { readonly kind: 'no_new'; readonly direction: Direction }
  | { readonly kind: 'no_removed_relation' }
  | { readonly kind: 'no_removed_column' }
  | { readonly kind: 'columns_have_sources'; readonly of: string | null }
  | { readonly kind: 'confidence'; readonly atLeast: number }
  | { readonly kind: 'fresh'; readonly withinMs: number }
  | { readonly kind: 'path'; readonly from: string; readonly to: string; readonly wanted: boolean }
  | { readonly kind: 'at_most'; readonly most: number; readonly direction: Direction; readonly columns: boolean }
  | { readonly kind: 'no_open_gap'; readonly type: GapType | null }
  | { readonly kind: 'no_stale_edge' }
  | { readonly kind: 'no_undeclared_edge'; readonly schema: string | null }
  | { readonly kind: 'confirmed'; readonly withinMs: number };
type Direction = 'upstream' | 'downstream';

type UnparsedExpectation = {
  /** Of the character, from 1. */
  readonly position: number;
  readonly expected: readonly string[];
  readonly nearest: string;
};
type Expectation =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | { readonly ok: false; readonly error: UnparsedExpectation };

type Token = { readonly text: string; readonly position: number };

/** Reads rules joined by `and`, whatever the case of their words. */
export function parseExpectation(text: string): Expectation {
  const tokens = tokensOf(text);
  const rules: Rule[] = [];
  for (let at = 0; ; at++) {
    const found = ruleAt(tokens, at, text.length + 1);
    if (found.rule === null) return { ok: false, error: found.error };
    rules.push(found.rule);
    at += found.length;
    const next = tokens[at];
    if (next === undefined) return { ok: true, rules };
    if (next.text.toLowerCase() !== 'and') {
      return { ok: false, error: { position: next.position, expected: ['and'], nearest: found.phrase } };
    }
  }
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/(?:"(?:[^"]|"")*"|'[^']*'|[^\s"'])+|["']/g)].map(({ 0: word, index }) => ({
    text: word,
    position: index + 1,
  }));

const spanOf = ([number, unit = '']: Slots): number => Number(number) * (units[unit.toLowerCase()] ?? 0);

type Slots = readonly string[];
type Phrase = { readonly words: string; readonly make: (slots: Slots) => Rule };

const directions = ['upstream', 'downstream'] as const;
const minuteMs = 60_000;
const units: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['minute', 'minutes', 'min'].map((unit) => [unit, minuteMs])),
  ...Object.fromEntries(['hour', 'hours', 'h'].map((unit) => [unit, 60 * minuteMs])),
  ...Object.fromEntries(['day', 'days', 'd'].map((unit) => [unit, 1_440 * minuteMs])),
};

/** What may be in the place of a word in capitals. */
const slots: Readonly<Record<string, (word: string) => boolean>> = {
  REF: () => true,
  NUMBER: (word) => /^\d{1,9}(\.\d{1,6})?$/.test(word),
  SHARE: (word) => /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(word),
  COUNT: (word) => /^\d{1,6}$/.test(word),
  UNIT: (word) => Object.hasOwn(units, word.toLowerCase()),
  TYPE: (word) => (gapTypes as readonly string[]).includes(word.toLowerCase()),
};

const refOf = (word = ''): string => (isQuotedWhole(word) && word.includes('.') ? word.slice(1, -1) : word);

const isQuotedWhole = (word: string): boolean => /^"[^'"]*"$/.test(word) || /^'[^'"]*'$/.test(word);

const phrases: readonly Phrase[] = [
  ...directions.map(
    (direction): Phrase => ({ words: `no new ${direction}`, make: () => ({ kind: 'no_new', direction }) }),
  ),
  { words: 'no removed relation', make: () => ({ kind: 'no_removed_relation' }) },
  { words: 'no removed column', make: () => ({ kind: 'no_removed_column' }) },
  { words: 'every column has a source', make: () => ({ kind: 'columns_have_sources', of: null }) },
  { words: 'every column of REF has a source', make: ([ref]) => ({ kind: 'columns_have_sources', of: refOf(ref) }) },
  { words: 'confidence at least SHARE', make: ([share]) => ({ kind: 'confidence', atLeast: Number(share) }) },
  { words: 'fresh within NUMBER UNIT', make: (span) => ({ kind: 'fresh', withinMs: spanOf(span) }) },
  {
    words: 'every declared edge confirmed within NUMBER UNIT',
    make: (span) => ({ kind: 'confirmed', withinMs: spanOf(span) }),
  },
  ...['edge', 'edges'].flatMap((edges): Phrase[] => [
    { words: `no undeclared ${edges}`, make: () => ({ kind: 'no_undeclared_edge', schema: null }) },
    {
      words: `no undeclared ${edges} into schema REF`,
      make: ([ref]) => ({ kind: 'no_undeclared_edge', schema: refOf(ref) }),
    },
  ]),
  {
    words: 'no path from REF to REF',
    make: ([from, to]) => ({ kind: 'path', from: refOf(from), to: refOf(to), wanted: false }),
  },
  {
    words: 'path from REF to REF',
    make: ([from, to]) => ({ kind: 'path', from: refOf(from), to: refOf(to), wanted: true }),
  },
  ...directions.flatMap((direction): Phrase[] =>
    ['', ' relations', ' columns'].map((measure) => ({
      words: `at most COUNT ${direction}${measure}`,
      make: ([most]) => ({ kind: 'at_most', most: Number(most), direction, columns: measure === ' columns' }),
    })),
  ),
  { words: 'no open gap', make: () => ({ kind: 'no_open_gap', type: null }) },
  {
    words: 'no open gap of type TYPE',
    make: ([type = '']) => ({ kind: 'no_open_gap', type: gapTypes.find((one) => one === type.toLowerCase()) ?? null }),
  },
  { words: 'no stale edge', make: () => ({ kind: 'no_stale_edge' }) },
];

type RuleFound = { readonly rule: Rule; readonly length: number; readonly phrase: string };
type Match = { readonly phrase: Phrase; readonly matched: number; readonly whole: boolean; readonly slots: string[] };

/** The longest rule that is at a token, or how far the nearest one goes. */
function ruleAt(
  tokens: readonly Token[],
  at: number,
  end: number,
): RuleFound | { rule: null; error: UnparsedExpectation } {
  const matches = phrases.map((phrase) => match(phrase, tokens, at));
  const whole = matches.filter((one) => one.whole).sort((a, b) => b.matched - a.matched)[0];
  if (whole) return { rule: whole.phrase.make(whole.slots), length: whole.matched, phrase: whole.phrase.words };
  const furthest = Math.max(...matches.map(({ matched }) => matched));
  const near = matches.filter(({ matched }) => matched === furthest);
  const expected = near.map(({ phrase }) => phrase.words.split(' ')[furthest] ?? '');
  const position = tokens[at + furthest]?.position ?? end;
  const nearest = nearestPhrase(tokens.slice(at), near);
  return { rule: null, error: { position, expected: [...new Set(expected)], nearest } };
}

function match(phrase: Phrase, tokens: readonly Token[], at: number): Match {
  const words = phrase.words.split(' ');
  const filled: string[] = [];
  for (const [i, word] of words.entries()) {
    const text = tokens[at + i]?.text;
    const slot = slots[word];
    const fits = text !== undefined && (slot ? slot(text) : word === text.toLowerCase());
    if (!fits) return { phrase, matched: i, whole: false, slots: filled };
    if (slot) filled.push(text);
  }
  return { phrase, matched: words.length, whole: true, slots: filled };
}

/** Of those that go equally far, the one that shares most pairs of letters with the text. */
function nearestPhrase(tokens: readonly Token[], matches: readonly Match[]): string {
  const pairsOfText = letterPairs(tokens.map(({ text }) => text).join(' '));
  const shared = ({ phrase }: Match) => {
    const pairs = letterPairs(phrase.words);
    return [...pairs].filter((pair) => pairsOfText.has(pair)).length / pairs.size;
  };
  return [...matches].sort((a, b) => shared(b) - shared(a))[0]?.phrase.words ?? '';
}

const letterPairs = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2).toLowerCase()));

/** The error as a sentence that repeats nothing of the text. */
export const expectationMessage = ({ position, expected, nearest }: UnparsedExpectation): string =>
  `Character ${position}: expected ${expected.join(' or ')}. The nearest rule is "${nearest}".`;
