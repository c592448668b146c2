import { closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './characters.ts';
import { endOfString } from './duplicate-keys.ts';

/** The keys and indices that lead to a value. */
export type JsonPath = readonly (string | number)[];

/** The keys and indices that lead to a value, of the text before it; null where a key in that is no JSON. */
export function pathBehind(before: string): JsonPath | null {
  try {
    return keyPathAt(before, before.length - 1);
  } catch {
    return null;
  }
}

/** The keys and indices that lead to a key, with it, whose string starts at `at` in a text that `JSON.parse` accepts. */
export function keyPathAt(json: string, at: number): JsonPath {
  const path: (string | number)[] = [];
  let isKey = false;
  for (let place = 0; place <= at; place++) {
    const code = json.charCodeAt(place);
    if (code === quote) {
      const end = endOfString(json, place);
      if (isKey) path[path.length - 1] = String(JSON.parse(json.slice(place, end + 1)));
      isKey = false;
      place = end;
    } else if (code === openBracket) path.push(0);
    else if (code === closeBrace || code === closeBracket) path.pop();
    else if (code === openBrace) {
      path.push('');
      isKey = true;
    } else if (code === comma) {
      const last = path.pop() ?? '';
      isKey = typeof last === 'string';
      path.push(typeof last === 'string' ? last : last + 1);
    }
  }
  return path;
}
