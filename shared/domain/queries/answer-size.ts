import { limits } from '../../contract/limits.ts';

/** Whether a reply can carry an answer: Lambda writes the body of a reply into JSON once more. */
export function isCarried(answer: unknown): boolean {
  const text = textOf(answer);
  // A character takes at most seven bytes once it is written twice.
  if (text === null || text.length > limits.answerBytes) return false;
  return text.length * 7 <= limits.answerBytes || Buffer.byteLength(JSON.stringify(text)) <= limits.answerBytes;
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
