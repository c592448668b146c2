/** Numbers that the same seed gives again: mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomFrom>;

const one = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

/** Texts that stand where JSON has a value: surrogates, NUL, depth, and what JavaScript treats specially. */
const oddValues = [
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"😀😀😀"',
  '""',
  '" "',
  '"__proto__"',
  '"constructor"',
  '{"toString":1}',
  '{"__proto__":{"a":1}}',
  '{"length":3}',
  '{}',
  '[]',
  '[[]]',
  'null',
  'true',
  '-0',
  '1e999',
  '12345678901234567890123',
  '"9999-12-31T23:59:60Z"',
  '"urn:li:dataset:(urn:li:dataPlatform:x,\\ud800,PROD)"',
  '"select * from \\"\\ud800\\" where x in (select"',
  `"${'"a".'.replaceAll('"', '\\"').repeat(40)}"`,
  `${'['.repeat(1_200)}${']'.repeat(1_200)}`,
  `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  `[${'{},'.repeat(300)}1]`,
];
const oddTexts = [
  '\ud800',
  '\udc00',
  '\0',
  '"',
  '\\',
  '\\u',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '/',
  '~1',
  '\ufeff',
  'é',
  '😀',
];

const value = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

/** A text that differs from another in one to four places. */
export function mutated(random: Random, text: string): string {
  let changed = text;
  for (let left = 1 + random(4); left > 0; left--) changed = one(random, mutations)(random, changed);
  return changed;
}

const mutations: readonly ((random: Random, text: string) => string)[] = [
  replaceValue,
  replaceValue,
  replaceValue,
  (random, text) => inserted(text, random(text.length + 1), one(random, oddTexts)),
  (random, text) => inserted(text, random(text.length + 1), String.fromCharCode(random(0x1_0000))),
  (random, text) => removed(text, random(text.length + 1), 1 + random(8)),
  (random, text) => text.slice(0, random(text.length + 1)),
  repeatPart,
];

/** A value, or the name of a field, that is another one or an odd one. */
function replaceValue(random: Random, text: string): string {
  const places = [...text.matchAll(value)];
  const place = places[random(Math.max(1, places.length))];
  if (!place) return text;
  const other = random(3) === 0 ? one(random, places)[0] : one(random, oddValues);
  return text.slice(0, place.index) + other + text.slice(place.index + place[0].length);
}

function repeatPart(random: Random, text: string): string {
  const at = random(text.length + 1);
  return inserted(text, at, text.slice(at, at + 1 + random(60)));
}

const inserted = (text: string, at: number, more: string) => text.slice(0, at) + more + text.slice(at);
const removed = (text: string, at: number, count: number) => text.slice(0, at) + text.slice(at + count);
