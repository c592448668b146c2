import * as v from 'valibot';
import { CollectionEvent, type CollectionEventType } from '../../../contract/collection.ts';
import { placeOf } from '../../../contract/field-errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { isDeeperThan } from '../../base/json/nesting.ts';
import { isTimestamp } from '../../base/time/timestamp.ts';
import { isSurelyValid } from './generated/event-check.js';

const maxErrors = 100;

/** The field and identity rules (C-COLLECT-2 to C-COLLECT-9) over a whole batch: 422 `invalid_event` names every place, no value. */
export function requireValidEvents(
  events: readonly unknown[],
  pathOf: (index: number) => string,
): asserts events is CollectionEvent[] {
  const errors = events.flatMap((event, index) => eventErrors(event, pathOf(index)));
  if (errors.length > 0) throw new Problem('invalid_event', { errors: errors.slice(0, maxErrors) });
}

/** The rules that one event breaks, each with its place. */
export function eventErrors(event: unknown, path: string): readonly FieldError[] {
  // Compiled from the schema: what it takes, as nearly every event is, need not be walked by the schema itself.
  if (isSurelyValid(event)) return brokenRules(event, path);
  const read = v.safeParse(CollectionEvent, event);
  if (read.success) return brokenRules(read.output, path);
  return read.issues.map((issue) => ({ path: placeIn(issue, path), message: issue.message }));
}

function brokenRules(event: CollectionEvent, path: string): readonly FieldError[] {
  const broken = rules[event.type].filter(({ holds }) => !holds(event));
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
