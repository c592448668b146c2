import { valueAt } from '../../../contract/json-pointer.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { deepestJson, isDeeperThan, nestingRule } from '../../json/nesting.ts';

/**
 * Each event as compact JSON. 422 `invalid_event` where one is nested too deeply to be walked, 413 `event_too_large`
 * where one has more than 32 KiB of UTF-8.
 */
export function compactLines(events: readonly unknown[], pathOf: (index: number) => string): readonly string[] {
  const deep = events.flatMap((event, index) => tooDeep(event, pathOf(index)));
  if (deep.length > 0) throw new Problem('invalid_event', { errors: deep });
  const lines = events.map((event) => JSON.stringify(event));
  const errors: FieldError[] = lines.flatMap((line, index) =>
    isTooLarge(line) ? [{ path: pathOf(index), message: 'must have at most 32 KiB as compact JSON' }] : [],
  );
  if (errors.length > 0) throw new Problem('event_too_large', { errors });
  return lines;
}

function tooDeep(event: unknown, path: string): FieldError[] {
  if (!isDeeperThan(deepestJson, event)) return [];
  const field = documentedFields.find((name) => isDeeperThan(deepestJson - 1, valueAt(event, `/${name}`)));
  return [{ path: field ? `${path}/${field}` : path, message: nestingRule }];
}

/** Names of fields that the contract knows: others are content, which is not repeated. */
const documentedFields = ['properties', 'context', 'traits', 'set_once'];

/** Three bytes a UTF-16 unit is the most that UTF-8 takes, so short lines need not be measured. */
const isTooLarge = (line: string): boolean =>
  line.length * 3 > limits.collection.eventBytes && Buffer.byteLength(line) > limits.collection.eventBytes;
