import * as v from 'valibot';
import { CollectionEvent } from '../../contract/collection.ts';
import { limits } from '../../contract/limits.ts';
import { type FieldError, Problem } from '../../contract/problems.ts';
import { isTimestamp } from './timestamp.ts';

const mostErrors = 100;

/** The field and identity rules of specification 2.1 over a whole batch: 422 `invalid_event` names every place, no value. */
export function requireValidEvents(
  events: readonly unknown[],
  pathOf: (index: number) => string,
): asserts events is CollectionEvent[] {
  const errors = events.flatMap((event, index) => eventErrors(event, pathOf(index)));
  if (errors.length > 0) throw new Problem('invalid_event', { errors: errors.slice(0, mostErrors) });
}

/** The rules that one event breaks, each with its place. */
export function eventErrors(event: unknown, path: string): readonly FieldError[] {
  if (!v.is(CollectionEvent, event)) return fieldErrors(event, path);
  return [...mapErrors(event), ...typeErrors(event), ...valueErrors(event)].map(([field, message]) => ({
    path: `${path}/${field}`,
    message,
  }));
}

const fieldErrors = (event: unknown, path: string): readonly FieldError[] =>
  (v.safeParse(CollectionEvent, event).issues ?? []).map((issue) => ({
    path: placeOf(issue, path),
    message: issue.message,
  }));

/** Down to a documented field: unknown names and the keys of maps are content, and content is not repeated. */
function placeOf(issue: v.InferIssue<typeof CollectionEvent>, path: string): string {
  const field = issue.path?.[0].key;
  return typeof field === 'string' && Object.hasOwn(CollectionEvent.entries, field) ? `${path}/${field}` : path;
}

type Rule = readonly [field: keyof CollectionEvent, message: string];

const maps = ['groups', 'properties', 'context', 'traits', 'set_once'] as const;

/** A schema takes a list for an object without keys, and so a number that is kept as text. */
const mapErrors = (event: CollectionEvent): readonly Rule[] =>
  maps.flatMap((field) => (isMap(event[field]) ? [] : [[field, 'must be an object'] as const]));

const isMap = (value: object | undefined): boolean =>
  value === undefined || Object.getPrototypeOf(value) === Object.prototype;

function typeErrors(event: CollectionEvent): readonly Rule[] {
  switch (event.type) {
    case 'track':
      return [...required(event, 'event'), ...customName(event), ...requiredActor(event)];
    case 'page':
      return [...withoutName(event), ...requiredActor(event)];
    case 'identify':
      return [...withoutName(event), ...required(event, 'user_id')];
    case 'group':
      return [...withoutName(event), ...required(event, 'group_type'), ...required(event, 'group_key')];
  }
}

const isGiven = (value: string | null | undefined): value is string => value !== null && value !== undefined;

const required = (event: CollectionEvent, field: 'event' | 'user_id' | 'group_type' | 'group_key'): readonly Rule[] =>
  isGiven(event[field]) ? [] : [[field, `is required for ${event.type}`]];

const requiredActor = (event: CollectionEvent): readonly Rule[] =>
  isGiven(event.user_id) || isGiven(event.anonymous_id)
    ? []
    : [['user_id', `or anonymous_id is required for ${event.type}`]];

const withoutName = (event: CollectionEvent): readonly Rule[] =>
  isGiven(event.event) ? [['event', 'is taken by track only']] : [];

const customName = (event: CollectionEvent): readonly Rule[] =>
  event.event?.startsWith('$') ? [['event', 'must not start with $']] : [];

const valueErrors = ({ timestamp, properties }: CollectionEvent): readonly Rule[] => [
  ...(isTimestamp(timestamp) ? [] : [['timestamp', 'must be an RFC 3339 date-time with a zone'] as const]),
  ...(isDeeperThan(nesting, properties)
    ? [['properties', `must be nested at most ${nesting} levels deep`] as const]
    : []),
];

const { nesting } = limits.collection;

/** Each object or array is a level; a number kept as text is a leaf. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return !JSON.isRawJSON(value);
  return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
