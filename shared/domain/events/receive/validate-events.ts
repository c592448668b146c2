import * as v from 'valibot';
import { CollectionBatch, CollectionEvent, type CollectionEventType } from '../../../contract/collection.ts';
import { placeOf, valueAt } from '../../../contract/field-errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { deepestJson, isDeeperThan, nestingRule } from '../../base/json/nesting.ts';
import { malformedJson, parseExactJson, readJsonText } from '../../base/json/read-json.ts';
import { isTimestamp } from '../../base/time/timestamp.ts';

const maxErrors = 100;

/** The field and identity rules (C-COLLECT-2 to C-COLLECT-9) over a whole batch: 422 `invalid_event` names every place, no value. */
function requireValidEvents(
  events: readonly unknown[],
  pathOf: (index: number) => string,
): asserts events is CollectionEvent[] {
  const errors = events.flatMap((event, index) => eventErrors(event, pathOf(index)));
  if (errors.length > 0) throw new Problem('invalid_event', { errors: errors.slice(0, maxErrors) });
}

export function eventErrors(event: unknown, path: string): readonly FieldError[] {
  const { success, output, issues } = v.safeParse(CollectionEvent, event);
  if (!success) return issues.map((issue) => ({ path: placeIn(issue, path), message: issue.message }));
  const broken = rules[output.type].filter(({ holds }) => !holds(output));
  return broken.map(({ field, message }) => ({ path: `${path}/${field}`, message }));
}

/** Down to a field of the event: the keys of maps are content, and content is not repeated. */
const placeIn = (issue: v.InferIssue<typeof CollectionEvent>, path: string): string =>
  path + placeOf({ ...issue, ...(issue.path && { path: [issue.path[0]] }) });

type Rule = {
  readonly field: keyof CollectionEvent;
  readonly message: string;
  readonly holds: (event: CollectionEvent) => boolean;
};

const isGiven = (value: string | null | undefined): value is string => value !== null && value !== undefined;

const required = (type: CollectionEventType, field: 'event' | 'user_id' | 'group_type' | 'group_key'): Rule => ({
  field,
  message: `is required for ${type}`,
  holds: (event) => isGiven(event[field]),
});

const requiredActor = (type: CollectionEventType): Rule => ({
  field: 'user_id',
  message: `or anonymous_id is required for ${type}`,
  holds: ({ user_id, anonymous_id }) => isGiven(user_id) || isGiven(anonymous_id),
});

const customName: Rule = {
  field: 'event',
  message: 'must not start with $',
  holds: ({ event }) => !event?.startsWith('$'),
};

const withoutName: Rule = { field: 'event', message: 'is taken by track only', holds: ({ event }) => !isGiven(event) };

const { nesting } = limits.collection;

const values: readonly Rule[] = [
  {
    field: 'timestamp',
    message: 'must be an RFC 3339 date-time with a zone',
    holds: ({ timestamp }) => isTimestamp(timestamp),
  },
  {
    field: 'properties',
    message: `must be nested at most ${nesting} levels deep`,
    holds: ({ properties }) => !isDeeperThan(nesting, properties),
  },
];

const rules: Readonly<Record<CollectionEventType, readonly Rule[]>> = {
  track: [required('track', 'event'), customName, requiredActor('track'), ...values],
  page: [withoutName, requiredActor('page'), ...values],
  identify: [withoutName, required('identify', 'user_id'), ...values],
  group: [withoutName, required('group', 'group_type'), required('group', 'group_key'), ...values],
};

/** A parsed body whose key is known and whose events are not yet looked at: C-ERROR-7 puts the key's checks between. */
export type Batch = {
  readonly projectKey: string;
  readonly size: number;
  /** The events as compact JSON, one text each; throws the Problem of the first rule that any of them breaks. */
  readonly lines: (receivedAt: string) => readonly string[];
  /** The header `Authorization` holds the project key, and so no server key. */
  readonly isHeaderSpent?: boolean;
  /** How many events the lines leave out, by code, in a format that answers for each event. */
  readonly refused?: Readonly<Record<string, number>>;
  readonly errors?: readonly FieldError[];
};

/** Each event as compact JSON. 422 `invalid_event` if nested too deeply, 413 `event_too_large` beyond 32 KiB. */
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

const isTooLarge = (line: string): boolean =>
  line.length * 3 > limits.collection.eventBytes && Buffer.byteLength(line) > limits.collection.eventBytes;

/** Reads a CollectionBatch (C-COLLECT-1): 400 `invalid_json`, 422 `invalid_batch`; later 413 and 422 of its events. */
export function parseNativeBatch(text: string): Batch {
  const read = readJsonText(text, parseExactJson);
  if (!read.ok) throw malformedJson('invalid_json', read);
  const batch = v.safeParse(CollectionBatch, read.value);
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
