import { type CollectionEvent, isPlainObject } from '../../../contract/collection.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem, problems } from '../../../contract/problems.ts';
import type { Body } from '../../../contract/route.ts';
import { type RawBody, readText } from '../../base/body.ts';
import { uuidOf } from '../../base/collections.ts';
import { sha256 } from '../../base/digest.ts';
import { deepestJson, isDeeperThan, nestingRule } from '../../base/json/nesting.ts';
import { parseExactJson } from '../../base/json/read-json.ts';
import { rfc3339Of } from '../../base/time/timestamp.ts';
import {
  isBlank,
  placeInBatch,
  type RefuseLine,
  requireModestEvents,
  requirePlanned,
  timedEventErrors,
} from './validate-events.ts';
import { wellFormedLine } from './well-formed.ts';

/** JSON of a sender's own format. */
export type ForeignJson = Readonly<Record<string, unknown>>;

/** An object of JSON: no array, and no number that was kept as text, which has no prototype. */
export const isParsedObject: (value: unknown) => value is ForeignJson = isPlainObject;

/** Whether a field says anything: SDKs send null and empty text for nothing. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Text with something in it, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && !isBlank(value) ? value : null);

/** Text, or a number in its own digits; else null. */
export function textOrDigits(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : textOf(value);
}

/** Refuses the whole batch for one place of one event. Some SDKs log only the hint, so it names the place. */
export function refuse(code: 'invalid_event' | 'unsupported_event', path: string, message: string): never {
  const errors = [{ path, message }];
  if (code === 'invalid_event') throw new Problem(code, { errors });
  throw new Problem(code, { errors, hint: `${path} ${message}. ${problems.unsupported_event.hint}` });
}

/** A time as it was sent; one that is ISO 8601 only, as RFC 3339, which all engines read. Else 422. */
export const timeAt = (value: unknown, path: string): string =>
  (typeof value === 'string' ? rfc3339Of(value) : null) ??
  refuse('invalid_event', path, 'must be an ISO 8601 date-time');

const maxCharacters = limits.collection.identifier;

/** A moment in milliseconds since 1970 as RFC 3339, which has years of four digits; null if it has others. */
export const timeOfMs = (at: number): string | null =>
  at > -62_167_219_200_000 && at < 253_402_300_800_000 ? new Date(at).toISOString() : null;

/** An id of a person or a group as the SDKs send it: text or a number, not blank; else 422. */
export function identifierOf(value: unknown, event: string, field: string): string {
  const text = textOrDigits(value);
  // Joined only here: a text for each field of each event costs as much as its checks.
  const path = () => `${event}/${field}`;
  if (text === null) return refuse('invalid_event', path(), 'must be non-blank text or a number');
  if (text.length > maxCharacters && [...text].length > maxCharacters)
    return refuse('invalid_event', path(), `must have at most ${maxCharacters} characters`);
  return text;
}

/** Refuses events that break a native rule, with the places of the original ones (422). */
function requireNativeRules(events: readonly CollectionEvent[], pathOf: (index: number) => string): void {
  const errors: FieldError[] = [];
  events.forEach((event, index) => {
    for (const { path, message } of timedEventErrors(event))
      errors.push({ path: pathOf(index), message: `${path.slice(1)} ${message}` });
  });
  if (errors.length > 0) throw new Problem('invalid_event', { errors });
}

/** The fields of both objects; the second wins. Makes no copy if one is empty. */
export const merged = (first: ForeignJson, second: ForeignJson): ForeignJson =>
  isEmpty(first) ? second : isEmpty(second) ? first : { ...first, ...second };

export function isEmpty(record: ForeignJson): boolean {
  for (const _ in record) return false;
  return true;
}

/** What a sender's format has and the native one does not, in the context: names of the native context hold no `$`. */
export const withSent = (context: ForeignJson, sent: ForeignJson): ForeignJson =>
  isEmpty(sent) ? context : { ...context, $sent: sent };

/** An object in a field; null if nothing was sent, which PHP writes as an empty array. Refuses any other value. */
export function recordAt(holder: ForeignJson, field: string, path: string): ForeignJson | null {
  const value = holder[field];
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null;
  return isParsedObject(value) ? value : refuse('invalid_event', `${path}/${field}`, 'must be an object');
}

/** What `read` answers for the members of an object, without those that are undefined. Makes nothing if there is none. */
export function membersOf(object: ForeignJson, read: (name: string, value: unknown) => unknown): ForeignJson {
  let found: Record<string, unknown> | null = null;
  for (const name in object) {
    const value = read(name, object[name]);
    if (value === undefined) continue;
    found ??= {};
    define(found, name, value);
  }
  return found ?? nothing;
}

/** Sets a member, also one called __proto__. */
export function define(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true });
}

/** Used for an object that was not sent. */
export const nothing: ForeignJson = Object.freeze({});

/**
 * Ids for events that have none. With an exact time, the content identifies an event: a retry has the same, and equal
 * events of a batch have different ones. Without one, the attempt and the place in it do.
 */
export function contentIds(attempt: string) {
  const seen = new Map<string, number>();
  return (content: unknown, time: unknown): string => {
    const text = isExactTime(time) ? JSON.stringify(content) : attempt;
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return uuidOf(sha256(`${before}\n${text}`));
  };
}

/** Whole seconds are too coarse: one user does the same twice in a second. */
export const isExactTime = (time: unknown): boolean => typeof time === 'string' && /:\d\d[.,]\d/.test(time);

/** Refuses a batch whose fields beside its events are nested too deeply (422). */
export function requireShallowEnvelope(envelope: ForeignJson): void {
  if (Object.entries(envelope).some(([name, value]) => name !== 'batch' && isDeeperThan(deepestJson, value)))
    throw new Problem('invalid_batch', { errors: [{ path: '', message: nestingRule }] });
}

type Mapping = {
  readonly pathOf: (index: number) => string;
  readonly nativeOf: (event: unknown, index: number) => CollectionEvent;
  readonly sentAt: (event: unknown) => string | null;
  readonly refuseLine: RefuseLine | undefined;
};

/** The lines of events in a sender's own format; throws the Problem of the first rule that any of them breaks. */
export function mappedLines(events: readonly unknown[], mapping: Mapping): readonly string[] {
  const { pathOf, nativeOf, sentAt, refuseLine } = mapping;
  requireModestEvents(events, pathOf);
  const natives = events.map(nativeOf);
  requireNativeRules(natives, pathOf);
  const lines = natives.map((native, index) => storedLine(native, sentAt(events[index])));
  return requirePlanned(lines, natives, pathOf, refuseLine);
}

/** What is stored of an event, and when its sender says that it was sent. */
function storedLine(event: CollectionEvent, sentAt: string | null): string {
  const stored = sentAt === null ? event : { ...event, sent_at: rfc3339Of(sentAt) ?? sentAt };
  return wellFormedLine(JSON.stringify(stored), stored);
}

/** The JSON of a body that may be gzip whatever its header says. */
export const readForeign = (body: Body, sent: RawBody): unknown =>
  parseExactJson(readText(body, sent, { detectGzip: true }), placeInBatch);

/** The only key that a body names; 401 if it names none or several. */
export function onlyKeyOf(named: Iterable<unknown>): string {
  const [key, ...others] = new Set(named);
  if (others.length > 0 || typeof key !== 'string') throw new Problem('invalid_project_key');
  return key;
}

/** Refuses a batch without events, by a code, and one with too many: 422. */
export function requireBatchSize(
  events: readonly unknown[],
  path: string,
  ofNone: 'invalid_batch' | 'invalid_batch_empty' = 'invalid_batch_empty',
): void {
  const { max } = limits.collection.events;
  const errors = [{ path, message: `must have 1 to ${max} events` }];
  if (events.length === 0) throw new Problem(ofNone, ofNone === 'invalid_batch' ? { errors } : {});
  if (events.length > max)
    throw new Problem('invalid_batch', { errors: [{ path, message: `must have at most ${max} events` }] });
}
