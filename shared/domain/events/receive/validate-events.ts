import * as v from 'valibot';
import {
  CollectionBatch,
  CollectionEvent,
  type CollectionEventType,
  isPlainObject,
} from '../../../contract/collection.ts';
import { documentedPlace, placeOf, valueAt } from '../../../contract/field-errors.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { deepestJson, isDeeperThan, mostBytes, nestingRule } from '../../base/json/nesting.ts';
import { isJsonObject, malformedJson, notNumbersIn, parseExactJson, readJsonText } from '../../base/json/read-json.ts';
import { isTimestamp } from '../../base/time/timestamp.ts';
import { wellFormedLine } from './well-formed.ts';

const maxErrors = 100;

/** The field and identity rules (C-COLLECT-2 to C-COLLECT-9) over a whole batch: 422 `invalid_event` names every place, no value. */
function requireValidEvents(
  events: readonly unknown[],
  pathOf: (index: number) => string,
): asserts events is CollectionEvent[] {
  const errors = events.flatMap((event, index) => eventErrors(event, pathOf(index)));
  if (errors.length > 0) throw new Problem('invalid_event', { errors: errors.slice(0, maxErrors) });
}

const eventErrors = (event: unknown, path: string): readonly FieldError[] => brokenRules(event, path, rules);

/** The same for an event whose time was read before, in more forms than RFC 3339 has. */
export const timedEventErrors = (event: CollectionEvent): readonly FieldError[] => brokenRules(event, '', rulesIfTimed);

function brokenRules(event: unknown, path: string, rules: Rules): readonly FieldError[] {
  if (hasValidFields(event)) return brokenAmong(rules[event.type], event, path);
  const { success, issues, output } = v.safeParse(CollectionEvent, event);
  return success
    ? brokenAmong(rules[output.type], output, path)
    : issues.map((issue) => ({ path: placeIn(issue, path), message: issue.message }));
}

function brokenAmong(rules: readonly Rule[], event: CollectionEvent, path: string): readonly FieldError[] {
  if (rules.every(({ holds }) => holds(event))) return none;
  const broken = rules.filter(({ holds }) => !holds(event));
  return broken.map(({ field, message }) => ({ path: `${path}/${field}`, message }));
}

const none: readonly never[] = [];

/** Whether the schema holds. It is asked about the fields that the event has, and makes no copy: that takes a third of the time. */
function hasValidFields(event: unknown): event is CollectionEvent {
  if (!isJsonObject(event)) return false;
  let missing = requiredFields;
  for (const name in event) {
    const field = fields.get(name);
    if (!field?.holds(event[name])) return false;
    if (field.isRequired) missing--;
  }
  return missing === 0;
}

/** What the schema takes for each field. Most are identifiers and objects, and most of these do not need the schema. */
const fields = new Map(
  Object.entries<v.GenericSchema>(CollectionEvent.entries).map(([name, schema]) => {
    const isCertain = certainOf(schema);
    const holds = (value: unknown) => isCertain(value) || v.is(schema, value);
    return [name, { holds, isRequired: !holds(undefined) }];
  }),
);
const requiredFields = [...fields.values()].filter(({ isRequired }) => isRequired).length;

/** A cheap check: the schema takes all values that pass it, and perhaps more. */
function certainOf(schema: v.GenericSchema): (value: unknown) => boolean {
  if (v.is(schema, { a: [1] })) return isPlainObject;
  if (v.is(schema, '')) return isText;
  if (v.is(schema, 'a')) return isShortText;
  const options: readonly unknown[] = 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  return (value) => options.includes(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= limits.collection.identifier && !isBlank(value);
}

/** Whether text has only white space, if anything. Most begins with a letter, which takes no search. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && !/\S/.test(text);
}

/** Fields of an event in any of the formats. */
export const fieldNames: ReadonlySet<string> = new Set([
  ...Object.keys(CollectionEvent.entries),
  ...['anonymousId', 'distinct_id', 'groupId', 'historical_migration', 'integrations', 'messageId', 'offset'],
  ...['originalTimestamp', 'previousId', 'sentAt', 'userId', 'uuid', 'options'],
  ...['$set', '$set_once', '$groups', '$group_set', '$group_key', '$group_type'],
]);

const documentedNames = new Set([...fieldNames, 'events', 'batch']);

/** The place of an error in a body, as far as the contract names it. */
export const placeInBatch = (keys: readonly (string | number)[]): string => documentedPlace(keys, documentedNames);

/** Down to a field of the event: the keys of maps are content, and content is not repeated. */
const placeIn = (issue: v.InferIssue<typeof CollectionEvent>, path: string): string =>
  path + placeOf({ ...issue, ...(issue.path && { path: [issue.path[0]] }) });

type Rule = {
  readonly field: keyof CollectionEvent;
  readonly message: string;
  readonly holds: (event: CollectionEvent) => boolean;
};

const isGiven = (value: string | null | undefined): value is string => value !== null && value !== undefined;

const requiredFor = (type: CollectionEventType, field: 'event' | 'user_id' | 'group_type' | 'group_key'): Rule => ({
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

const { nesting, eventBytes } = limits.collection;

const timed: Rule = {
  field: 'timestamp',
  message: 'must be an RFC 3339 date-time with a zone',
  holds: ({ timestamp }) => isTimestamp(timestamp),
};

const shallow: Rule = {
  field: 'properties',
  message: `must be nested at most ${nesting} levels deep`,
  holds: ({ properties }) => !isDeeperThan(nesting, properties),
};

type Rules = Readonly<Record<CollectionEventType, readonly Rule[]>>;

const rulesWith = (...values: readonly Rule[]): Rules => ({
  track: [requiredFor('track', 'event'), customName, requiredActor('track'), ...values],
  page: [withoutName, requiredActor('page'), ...values],
  identify: [withoutName, requiredFor('identify', 'user_id'), ...values],
  group: [withoutName, requiredFor('group', 'group_type'), requiredFor('group', 'group_key'), ...values],
});
const rules = rulesWith(timed, shallow);
/** Segment's SDKs identify visitors too. */
const rulesIfTimed = { ...rulesWith(shallow), identify: [withoutName, requiredActor('identify'), shallow] };

/** What the project's tracking plan refuses of a line; `path` is that of its event. */
export type RefuseLine = (line: string, path: string, event?: unknown) => readonly FieldError[];

/** Only a line with one of these may have other text than its event: see `wellFormedLine`. */
const rewritten = /\\u|\ufffd/;

/** The lines of the events, if the tracking plan refuses none: else 422 `invalid_event`. */
export function requirePlanned(
  lines: readonly string[],
  events: readonly unknown[],
  pathOf: (index: number) => string,
  refuseLine: RefuseLine | undefined,
): readonly string[] {
  if (refuseLine === undefined) return lines;
  const errors = lines.flatMap((line, index) =>
    refuseLine(line, pathOf(index), rewritten.test(line) ? undefined : events[index]),
  );
  if (errors.length > 0) throw new Problem('invalid_event', { errors: errors.slice(0, maxErrors) });
  return lines;
}

export type Reception = {
  /** ISO with milliseconds. */
  readonly receivedAt: string;
  /** The input of ids for events that have no id and no exact time. */
  readonly attempt: string;
  readonly refuseLine?: RefuseLine | undefined;
};

/** A parsed body whose key is known and whose events are not yet looked at: C-ERROR-7 puts the key's checks between. */
export type Batch = {
  readonly projectKey: string;
  readonly size: number;
  /** As received. */
  readonly events: readonly unknown[];
  /** The events as compact JSON, one text each; throws the Problem of the first rule that any of them breaks. */
  readonly lines: (reception: Reception) => readonly string[];
  /** The events that have no id and no exact time. */
  readonly unnamed: readonly unknown[];
  /** The header `Authorization` holds the project key, and so no server key. */
  readonly isHeaderSpent?: boolean;
  /** How many events the lines leave out, by code, in a format that answers for each event. */
  readonly refused?: Readonly<Record<string, number>>;
  readonly errors?: readonly FieldError[];
};

/** 422 `invalid_event` if an event is nested too deeply, 413 `event_too_large` if its compact JSON is beyond 32 KiB. */
export function requireModestEvents(events: readonly unknown[], pathOf: (index: number) => string): void {
  if (events.every((event) => mostBytes(deepestJson, event) <= eventBytes)) return;
  const deep = events.flatMap((event, index) =>
    isDeeperThan(deepestJson, event) ? tooDeep(event, pathOf(index)) : [],
  );
  if (deep.length > 0) throw new Problem('invalid_event', { errors: deep });
  const errors: FieldError[] = events.flatMap((event, index) =>
    Buffer.byteLength(JSON.stringify(event)) > eventBytes
      ? [{ path: pathOf(index), message: 'must have at most 32 KiB as compact JSON' }]
      : [],
  );
  if (errors.length > 0) throw new Problem('event_too_large', { errors });
}

function tooDeep(event: unknown, path: string): FieldError {
  const field = documentedFields.find((name) => isDeeperThan(deepestJson - 1, valueAt(event, `/${name}`)));
  return { path: field ? `${path}/${field}` : path, message: nestingRule };
}

/** Names of fields that the contract knows: others are content, which is not repeated. */
const documentedFields = ['properties', 'context', 'traits', 'set_once'];

/** Reads a CollectionBatch (C-COLLECT-1): 400 `invalid_json`, 422 `invalid_batch`; later 413 and 422 of its events. */
export function parseNativeBatch(text: string): Batch {
  const written = readWritten(text);
  if (written) return written;
  const read = readJsonText(text, parseExactJson);
  if (!read.ok && read.namedTwice === null)
    throw new Problem('invalid_json', { errors: notNumbersIn(text, placeInBatch) });
  if (!read.ok) throw malformedJson('invalid_json', read, placeInBatch);
  const batch = v.safeParse(CollectionBatch, read.value);
  if (!batch.success) throw new Problem('invalid_batch', { errors: batch.issues.map(fieldError) });
  const { project_key, events } = batch.output;
  return batchOf(project_key, events, () => linesOf(events));
}

/** A batch whose events have the form that JSON.stringify gives them. In it no number was changed and no key is named twice, so that only the rest of the text has to be searched for both. */
function readWritten(text: string): Batch | null {
  try {
    const { project_key, events } = v.parse(CollectionBatch, JSON.parse(text));
    const lines = linesOf(events);
    const rest = text.replace(lines.join(','), '');
    const isWritten = rest.length < text.length && readJsonText(rest, parseExactJson).ok;
    return isWritten ? batchOf(project_key, events, () => lines) : null;
  } catch {
    // It is read again in the other way, which says what is wrong.
    return null;
  }
}

const linesOf = (events: readonly unknown[]): readonly string[] => events.map((event) => JSON.stringify(event));

const batchOf = (projectKey: string, events: readonly unknown[], lines: () => readonly string[]): Batch => ({
  projectKey,
  size: events.length,
  events,
  unnamed: none,
  lines: ({ refuseLine }) => {
    requireModestEvents(events, pathOf);
    requireValidEvents(events, pathOf);
    return requirePlanned(
      lines().map((line, index) => wellFormedLine(line, events[index])),
      events,
      pathOf,
      refuseLine,
    );
  },
});

const fieldError = (issue: v.InferIssue<typeof CollectionBatch>): FieldError => ({
  path: placeOf(issue),
  message: issue.message,
});

const pathOf = (index: number) => `/events/${index}`;
