import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';

/** Each event as compact JSON; 413 `event_too_large` where one has more than 32 KiB of UTF-8. */
export function compactLines(events: readonly unknown[], pathOf: (index: number) => string): readonly string[] {
  const lines = events.map((event, index) => compact(event, pathOf(index)));
  const errors: FieldError[] = lines.flatMap((line, index) =>
    isTooLarge(line) ? [{ path: pathOf(index), message: 'must have at most 32 KiB as compact JSON' }] : [],
  );
  if (errors.length > 0) throw new Problem('event_too_large', { errors });
  return lines;
}

function compact(event: unknown, path: string): string {
  try {
    return JSON.stringify(event);
  } catch (error) {
    // Thousands of nested arrays fit 32 KiB and exhaust the stack of the serializer.
    if (!(error instanceof RangeError)) throw error;
    throw new Problem('invalid_event', { errors: [{ path, message: 'is nested too deeply to be stored' }] });
  }
}

/** Three bytes a UTF-16 unit is the most that UTF-8 takes, so short lines need not be measured. */
const isTooLarge = (line: string): boolean =>
  line.length * 3 > limits.collection.eventBytes && Buffer.byteLength(line) > limits.collection.eventBytes;
