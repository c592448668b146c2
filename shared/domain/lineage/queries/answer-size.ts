import { limits } from '../../../contract/limits.ts';

/** Whether a reply can carry an answer: Lambda writes the body of a reply into JSON once more. */
export function isCarried(answer: unknown): boolean {
  // Nearly all are so small that they need not be written to know it.
  if (mostBytes(answer) <= limits.answerBytes) return true;
  const text = textOf(answer);
  if (text === null || text.length > limits.answerBytes) return false;
  return Buffer.byteLength(JSON.stringify(text)) <= limits.answerBytes;
}

/** A bound of the bytes of a JSON value that is written twice: seven are the most that one character can take. */
export function mostBytes(value: unknown): number {
  if (typeof value === 'string') return 6 + 7 * value.length;
  if (typeof value !== 'object' || value === null) return 26;
  let bytes = 4;
  if (Array.isArray(value)) for (const one of value) bytes += 1 + mostBytes(one);
  else {
    const members = value as Readonly<Record<string, unknown>>;
    for (const name in members) bytes += 6 + 7 * name.length + mostBytes(members[name]);
  }
  return bytes;
}

function textOf(answer: unknown): string | null {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    // Longer than any string may be.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The first answer that a reply can carry; the last where none is. Each is smaller than the one before. */
export function firstCarried<T>(first: T, smaller: Iterable<T>): T {
  if (isCarried(first)) return first;
  let last = first;
  for (const answer of smaller) {
    last = answer;
    if (isCarried(answer)) break;
  }
  return last;
}
