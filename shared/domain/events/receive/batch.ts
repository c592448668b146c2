import * as v from 'valibot';
import { CollectionBatch } from '../../../contract/collection.ts';
import { placeOf, valueAt } from '../../../contract/field-errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { deepestJson, isDeeperThan, nestingRule } from '../../base/json/nesting.ts';
import { parseExactJson } from './exact-json.ts';
import { requireValidEvents } from './validate-events.ts';

/** A parsed body whose key is known and whose events are not yet looked at: C-ERROR-7 puts the key's checks between. */
export type Batch = {
  readonly projectKey: string;
  readonly size: number;
  /** The events as compact JSON, one text each; throws the Problem of the first rule that any of them breaks. */
  readonly lines: (receivedAt: string) => readonly string[];
};

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

/** Reads a CollectionBatch (C-COLLECT-1): 400 `invalid_json`, 422 `invalid_batch`; later 413 and 422 of its events. */
export function parseNativeBatch(text: string): Batch {
  const batch = v.safeParse(CollectionBatch, parseExactJson(text));
  if (!batch.success) throw new Problem('invalid_batch', { errors: batch.issues.map(fieldError) });
  const { project_key, events } = batch.output;
  return { projectKey: project_key, size: events.length, lines: () => nativeLines(events) };
}

const fieldError = (issue: v.InferIssue<typeof CollectionBatch>): FieldError => ({
  path: placeOf(issue),
  message: issue.message,
});

const pathOf = (index: number) => `/events/${index}`;

function nativeLines(events: readonly unknown[]): readonly string[] {
  const lines = compactLines(events, pathOf);
  requireValidEvents(events, pathOf);
  return lines;
}
