import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateKeyAt } from '../../../shared/domain/base/json/duplicate-keys.ts';
import { keyPathAt } from '../../../shared/domain/base/json/item-cutter.ts';

describe('finding a duplicate key', () => {
  it.each([
    ['{"a":1,"a":2}', 7],
    ['{"job":{"name":"a","n\\u0061me":"b"}}', 19],
    ['{"n\\u0061me":1,"name":2}', 15],
    ['[{"a":[{"b":1}]},{"c":{"d":0,"d":0}}]', 29],
    ['{"a":"a","b":"\\\\","a":0}', 18],
    ['{"":0,"":1}', 6],
    ['{"\\"":0,"\\u0022":1}', 8],
    ['{"\ud83d\ude00":0,"\\ud83d\\ude00":1}', 8],
    ['{"__proto__":0,"__proto__":1}', 15],
  ])('sees it in %s', (json, at) => {
    JSON.parse(json);
    expect(duplicateKeyAt(json)).toBe(at);
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"{\\"a\\":1,\\"a\\":2}"}',
    '["a","a",{"a":"a"},"a"]',
    '{"Aa":1,"BB":2}',
    ' "a" ',
    '0',
    '[]',
  ])('sees none in %s', (json) => {
    JSON.parse(json);
    expect(duplicateKeyAt(json)).toBeNull();
  });

  it('agrees with a slow reading of texts of every shape', () => {
    fc.assert(
      fc.property(json, (text) => {
        JSON.parse(text);
        expect(duplicateKeyAt(text) !== null).toBe(hasDuplicate(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('compares the keys of an object with many keys with those of no other, beside it or around it', () => {
    const wide = `{${Array.from({ length: 20 }, (_, i) => `"k${i}":0`).join(',')}}`;
    for (const text of [`[${wide},${wide}]`, `{"a":${wide},"b":${wide}}`, `[${wide},{"k1":[${wide}]},{"k2":0}]`])
      expect(duplicateKeyAt(text), text).toBeNull();
    const doubled = wide.replace('k19', 'k3');
    expect(duplicateKeyAt(`[${wide},${doubled}]`)).toBe(wide.length + 2 + doubled.lastIndexOf('"k3"'));
  });

  it('takes a deep text and an object of many keys that collide', () => {
    expect(duplicateKeyAt(`${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`)).toBeNull();
    const keys = Array.from({ length: 2 ** 16 }, (_, i) =>
      i.toString(2).padStart(16, '0').replace(/0/g, 'Aa').replace(/1/g, 'BB'),
    );
    const text = `{${keys.map((key) => `"${key}":0`).join(',')}`;
    expect(duplicateKeyAt(`${text}}`)).toBeNull();
    expect(duplicateKeyAt(`${text},"${keys[7]}":0}`)).toBe(text.length + 1);
  });
});

describe('the path to a key', () => {
  it('leads to each key of a text of any shape', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        // The oracle: the places of keys, in text order.
        const paths = [...pathsOf(JSON.parse(text))];
        const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"(:?)/g)]
          .filter(([, colon]) => colon)
          .map(({ index }) => index);
        expect(places.map((at) => keyPathAt(text, at))).toEqual(paths);
      }),
    );
  });
});

function* pathsOf(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    if (!Array.isArray(value)) yield at;
    yield* pathsOf(inner, at);
  }
}

/** JSON texts whose keys come from a small set, each character of them escaped or not, with and without spaces. */
const key = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '"', '\\', '/', '\n', 'é', '\ud83d'), fc.boolean()), { maxLength: 3 })
  .map((characters) => `"${characters.map(([c, asEscape]) => spelled(c, asEscape)).join('')}"`);
const spelled = (c: string, asEscape: boolean) =>
  asEscape ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(c).slice(1, -1);
const space = fc.constantFrom('', ' ', '\n\t');
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('0', '-1.5e3', 'true', 'null'),
    key,
    fc.tuple(space, fc.array(tie('json'), { maxLength: 4 })).map(([s, items]) => `[${s}${items.join(`${s},${s}`)}]`),
    fc
      .tuple(space, fc.array(fc.tuple(key, tie('json')), { maxLength: 22 }))
      .map(([s, entries]) => `{${s}${entries.map(([k, v]) => `${k}${s}:${v}${s}`).join(`,${s}`)}}`),
  ),
}));

/** The oracle: a recursive reading with a set of keys an object, over tokens. */
function hasDuplicate(text: string): boolean {
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? [];
  let at = 0;
  const value = (): boolean => {
    const token = tokens[at++];
    if (token !== '{' && token !== '[') return false;
    const keys = new Set<string>();
    let found = false;
    while (tokens[at] !== '}' && tokens[at] !== ']') {
      if (token === '{') {
        const name = String(JSON.parse(tokens[at] ?? ''));
        found ||= keys.has(name);
        keys.add(name);
        at += 2;
      }
      found = value() || found;
      if (tokens[at] === ',') at++;
    }
    at++;
    return found;
  };
  return value();
}
