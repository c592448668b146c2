import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote, space } from './nesting.ts';

/** Objects with more keys than this are kept as sets: comparing each key with each other would cost the square. */
const maxListedKeys = 16;

export function duplicateKeyAt(json: string): number | null {
  const open: Open = { json, depth: -1, first: [], wide: [], count: 0, starts: [], ends: [], hashes: [] };
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    // Most characters outside strings are white space, if the text is indented.
    if (code <= space) continue;
    if (code === quote) {
      const end = isKey ? addKey(open, at) : endOfString(json, at);
      if (end < 0) return at;
      at = end;
      isKey = false;
    } else if (code === comma) isKey = (open.first[open.depth] ?? -1) >= 0;
    else if (code === openBrace || code === openBracket) {
      isKey = code === openBrace;
      open.first[++open.depth] = isKey ? open.count : -1;
      open.wide[open.depth] = null;
    } else if (code === closeBrace || code === closeBracket) {
      const from = open.first[open.depth--] ?? -1;
      if (from >= 0) open.count = from;
      isKey = false;
    }
  }
  return null;
}

/** The containers that are open at one place of the text, and the keys of the objects among them. */
type Open = {
  readonly json: string;
  depth: number;
  /** By depth: the index of an object's first key, or -1 for an array. */
  readonly first: number[];
  /** By depth: the keys of an object that has many. */
  readonly wide: (Set<string> | null)[];
  count: number;
  /** By key: where its characters start and end, and a hash of them once unescaped. */
  readonly starts: number[];
  readonly ends: number[];
  readonly hashes: number[];
};

/** Adds the key whose string starts there; answers where that string ends, or -1 if the object has the key. */
function addKey(open: Open, start: number): number {
  const { json } = open;
  let hash = 0;
  let end = start + 1;
  for (let code = json.charCodeAt(end); code !== quote; code = json.charCodeAt(++end)) {
    if (code === backslash) return addEscapedKey(open, start);
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  return add(open, start + 1, end, hash) ? end : -1;
}

function addEscapedKey(open: Open, start: number): number {
  const end = endOfString(open.json, start);
  let hash = 0;
  const key = textBetween(open.json, start + 1, end);
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  return add(open, start + 1, end, hash) ? end : -1;
}

function add(open: Open, start: number, end: number, hash: number): boolean {
  const { depth, count, hashes } = open;
  const keys = open.wide[depth];
  if (keys) {
    const before = keys.size;
    return keys.add(textBetween(open.json, start, end)).size > before;
  }
  const from = open.first[depth] ?? 0;
  for (let i = from; i < count; i++) if (hashes[i] === hash && isSameKey(open, i, start, end)) return false;
  open.starts[count] = start;
  open.ends[count] = end;
  hashes[count] = hash;
  open.count = count + 1;
  if (count - from >= maxListedKeys) open.wide[depth] = keysFrom(open, from);
  return true;
}

const isSameKey = ({ json, starts, ends }: Open, index: number, start: number, end: number) =>
  textBetween(json, starts[index] ?? 0, ends[index] ?? 0) === textBetween(json, start, end);

function keysFrom({ json, count, starts, ends }: Open, from: number): Set<string> {
  const keys = new Set<string>();
  for (let i = from; i < count; i++) keys.add(textBetween(json, starts[i] ?? 0, ends[i] ?? 0));
  return keys;
}

function textBetween(json: string, start: number, end: number): string {
  const text = json.slice(start, end);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}

/** Where the string that starts at a quote ends: at the first quote that is not escaped. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** A character is escaped by an odd number of backslashes before it. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}
