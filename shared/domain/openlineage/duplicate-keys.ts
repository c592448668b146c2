const space = 32;
const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Objects with more keys than this are kept as sets: comparing each key with each other would cost the square. */
const fewKeys = 16;

/**
 * Where in a JSON text an object has a key for the second time (also when only unescaping makes the two equal), or
 * null. The text must be one that `JSON.parse` accepts: this reads it once, and checks nothing else.
 */
export function duplicateKeyAt(json: string): number | null {
  const open = openObjects(json);
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    // Most of what stands outside strings is white space, where the text is indented.
    if (code <= space) continue;
    if (code === quote) {
      const end = isKey ? open.addKey(at) : endOfString(json, at);
      if (end < 0) return at;
      at = end;
      isKey = false;
    } else if (code === comma) isKey = open.inObject();
    else if (code === openBrace || code === openBracket) {
      isKey = code === openBrace;
      open.enter(isKey);
    } else if (code === closeBrace || code === closeBracket) {
      open.leave();
      isKey = false;
    }
  }
  return null;
}

/** The keys of the objects that are open at one place of the text, innermost last. */
function openObjects(json: string) {
  // One entry a key of an open object: where it starts and ends in the text, and a hash of its unescaped characters.
  const [starts, ends, hashes]: [number[], number[], number[]] = [[], [], []];
  let count = 0;
  // One entry an open container: the index of its first key, or -1 for an array.
  const first: number[] = [];
  const wide: (Set<string> | undefined)[] = [];
  let depth = -1;

  return {
    inObject: () => (first[depth] ?? -1) >= 0,
    enter(isObject: boolean) {
      first[++depth] = isObject ? count : -1;
      wide[depth] = undefined;
    },
    leave() {
      const from = first[depth--] ?? -1;
      if (from >= 0) count = from;
    },
    /** Adds the key whose string starts there; answers where that string ends, or -1 if the object has the key. */
    addKey(start: number): number {
      let hash = 0;
      let end = start + 1;
      for (let code = json.charCodeAt(end); code !== quote; code = json.charCodeAt(++end)) {
        if (code === backslash) return addEscaped(start);
        hash = (Math.imul(hash, 31) + code) | 0;
      }
      return add(start, end, hash, null) ? end : -1;
    },
  };

  function addEscaped(start: number): number {
    const end = endOfString(json, start);
    const key: string = JSON.parse(json.slice(start, end + 1));
    let hash = 0;
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
    return add(start, end, hash, key) ? end : -1;
  }

  function add(start: number, end: number, hash: number, unescaped: string | null): boolean {
    const from = first[depth] ?? 0;
    const keys = wide[depth];
    if (keys) {
      const size = keys.size;
      return keys.add(unescaped ?? json.slice(start + 1, end)).size > size;
    }
    for (let i = from; i < count; i++) {
      if (hashes[i] === hash && keyAt(i) === (unescaped ?? json.slice(start + 1, end))) return false;
    }
    starts[count] = start;
    ends[count] = end;
    hashes[count++] = hash;
    if (count - from > fewKeys) wide[depth] = widened(from);
    return true;
  }

  function widened(from: number): Set<string> {
    const keys = new Set<string>();
    for (let i = from; i < count; i++) keys.add(keyAt(i));
    return keys;
  }

  function keyAt(index: number): string {
    const text = json.slice((starts[index] ?? 0) + 1, ends[index]);
    return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
  }
}

/** Where the string that starts at a quote ends: at the first quote that is not escaped. */
function endOfString(json: string, start: number): number {
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
