import { jsonPointer } from './json-pointer.ts';

/** What every text that becomes a name or a key has to be: stores refuse the rest, or turn it into another text. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

export const storableRule = 'must be well-formed Unicode without the character NUL';

/** The beginning of a text, in code points: a cut through one would leave a half that no store takes. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const beginning = text.slice(0, 2 * length);
  return [...beginning].slice(0, length).join('').toWellFormed();
}

/** A text as a store takes it, whatever it quotes. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

type Place = { readonly value: unknown; readonly path: string };

/**
 * The JSON pointer of the first text of a value that is not storable, field names included; null where all are.
 * A field whose name is not storable is named by the object that holds it.
 *
 * @param except fields of the value itself that are not looked into
 */
export const unstorableAt = (value: unknown, path = '', except: readonly string[] = []): string | null =>
  isAllStorable(value, except) ? null : placeOfUnstorable(value, path, except);

/** Without their places, which take most of the time: hardly any text is not storable. */
function isAllStorable(value: unknown, except: readonly string[]): boolean {
  const left = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one === 'string' && !isStorable(one)) return false;
    if (typeof one !== 'object' || one === null) continue;
    if (Array.isArray(one)) {
      for (const inner of one) left.push(inner ?? null);
      continue;
    }
    for (const [key, inner] of Object.entries(one)) {
      if (one === value && except.includes(key)) continue;
      if (!isStorable(key) || (typeof inner === 'string' && !isStorable(inner))) return false;
      if (typeof inner === 'object' && inner !== null) left.push(inner);
    }
  }
  return true;
}

function placeOfUnstorable(value: unknown, path: string, except: readonly string[]): string | null {
  // A list of what is left to look at: what is nested as deep as a body can be has no bound on the stack.
  const left: Place[] = [{ value, path }];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one.value === 'string' && !isStorable(one.value)) return one.path;
    if (typeof one.value !== 'object' || one.value === null) continue;
    for (const [key, inner] of Object.entries(one.value)) {
      if (one.value === value && except.includes(key)) continue;
      if (!isStorable(key)) return one.path;
      if (typeof inner === 'string' ? !isStorable(inner) : typeof inner === 'object')
        left.push({ value: inner, path: one.path + jsonPointer(key) });
    }
  }
  return null;
}
