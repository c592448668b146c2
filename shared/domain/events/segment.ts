import { type CollectionEvent, collectionRoutes } from '../../contract/collection.ts';
import { segmentCalls } from '../../contract/foreign-formats.ts';
import { Problem } from '../../contract/problems.ts';
import type { RawBody } from '../base/body.ts';
import { readTimestamp } from '../base/time/timestamp.ts';
import { bearerOf, isSecret } from '../workspaces/access/secret.ts';
import {
  contentIds,
  type ForeignJson,
  identifierOf,
  isEmpty,
  isExactTime,
  isGiven,
  isParsedObject,
  mappedLines,
  membersOf,
  merged,
  nothing,
  onlyKeyOf,
  readForeign,
  recordAt,
  refuse,
  requireBatchSize,
  requireShallowEnvelope,
  textOf,
  textOrDigits,
  timeAt,
  timeOfMs,
  withSent,
} from './receive/foreign-events.ts';
import type { Batch } from './receive/validate-events.ts';

/** Segment's format (C-SEGMENT-1): one message, whose type the path says, or `{ batch }`. 400 `invalid_json` and `invalid_batch`, 401 `invalid_project_key`. */
export function readSegmentBatch(body: RawBody, path: string): Batch {
  const envelope = readForeign(collectionRoutes.collectSegment.body, body);
  const call = segmentCalls[path.slice(path.lastIndexOf('/') + 1)] ?? 'batch';
  if (!isParsedObject(envelope) || (call === 'batch' && !Array.isArray(envelope['batch'])))
    throw new Problem('invalid_batch', { message: 'The body must be { "batch": [...] }, or one message.' });
  const { batch } = envelope;
  const messages: readonly unknown[] = Array.isArray(batch) ? batch : [envelope];
  requireBatchSize(messages, '/batch', 'invalid_batch');
  const inBody = [envelope, ...messages].flatMap((one) => (isParsedObject(one) ? [one['writeKey']] : []));
  const ofJitsu = body.headers['x-write-key'];
  const inHeader = writeKeyOf(body.headers['authorization'], [ofJitsu, ...inBody].some(isGiven));
  const pathOf = (index: number) => (Array.isArray(batch) ? `/batch/${index}` : '');
  const defaultType = Array.isArray(batch) ? null : call;
  return {
    projectKey: onlyKeyOf([inHeader, ofJitsu, ...inBody].map(keyOf).filter(isGiven)),
    isHeaderSpent: inHeader !== null,
    size: messages.length,
    events: messages,
    unnamed: messages.filter((one) => isParsedObject(one) && !isGiven(one['messageId']) && !isExactTime(timeOf(one))),
    lines: ({ receivedAt, attempt, refuseLine }) => {
      const ofBatch = Array.isArray(batch) ? envelope : nothing;
      requireShallowEnvelope(ofBatch);
      const reading = { envelope: ofBatch, defaultType, receivedAt, idOfContent: contentIds(attempt) };
      const nativeOf = (message: unknown, index: number) => nativeEventOf(message, pathOf(index), reading);
      const sentAt = (message: unknown) => sentAtOf(message, ofBatch);
      return mappedLines(messages, { pathOf, nativeOf, sentAt, refuseLine });
    },
  };
}

/** Jitsu's keys have a secret, or three stars for it, after a colon. */
const keyOf = (named: unknown): unknown => (typeof named === 'string' ? named.split(':', 1)[0] : named);

/** The user name of Basic; a bearer that has the form of a project key, or that is the only key. */
function writeKeyOf(authorization: string | undefined, isElsewhere: boolean): string | null {
  const basic = /^Basic +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8').split(':', 1).join('');
  const bearer = bearerOf(authorization);
  return bearer !== undefined && (!isElsewhere || isSecret('project_key', bearer)) ? bearer : null;
}

type Reading = {
  /** What holds for all messages of a batch. */
  readonly envelope: ForeignJson;
  /** The type that the path says; null of a batch. */
  readonly defaultType: string | null;
  readonly receivedAt: string;
  readonly idOfContent: ReturnType<typeof contentIds>;
};

const timeOf = ({ timestamp, originalTimestamp }: ForeignJson): unknown =>
  isGiven(timestamp) ? timestamp : originalTimestamp;

/** `messageId`, else an id of the content. */
function idOf(message: ForeignJson, path: string, { idOfContent }: Reading): string {
  if (isGiven(message['messageId'])) return identifierOf(message['messageId'], path, 'messageId');
  const { sentAt: _, ...content } = message;
  return idOfContent(content, timeOf(message));
}

const sentAtOf = (message: unknown, envelope: ForeignJson): string | null =>
  (isParsedObject(message) ? textOf(message['sentAt']) : null) ?? textOf(envelope['sentAt']);

const nativeTypes: Readonly<Record<string, CollectionEvent['type']>> = {
  track: 'track',
  page: 'page',
  screen: 'page',
  identify: 'identify',
  group: 'group',
  // The same person under another id, as PostHog's `$identify` says it.
  alias: 'identify',
};

/** The native event of a message: C-SEGMENT-5 to C-SEGMENT-8. Throws `invalid_event`. */
function nativeEventOf(message: unknown, path: string, reading: Reading): CollectionEvent {
  if (!isParsedObject(message)) return refuse('invalid_event', path, 'must be an object');
  const name = reading.defaultType ?? textOf(message['type']) ?? '';
  const type = Object.hasOwn(nativeTypes, name) ? nativeTypes[name] : undefined;
  if (type === undefined) return refuse('invalid_event', `${path}/type`, `must be one of ${Object.keys(nativeTypes)}`);
  const sent = contextOf(message, path, reading.envelope);
  const own = type === 'track' || type === 'page' ? propertiesOf(message, path, type) : nothing;
  const context = withSent(name === 'screen' ? asScreen(sent) : sent, unknownOf(message, name, own));
  // Assigned, because spreads take most of the time of a mapping.
  const native: CollectionEvent = { id: '', type, timestamp: timestampOf(message, path, reading) };
  assignActor(native, message, path, name === 'alias' ? 'previousId' : 'anonymousId');
  native.id = idOf(message, path, reading);
  const session = textOrDigits(context['sessionId']);
  if (session !== null) native.session_id = session;
  if (!isEmpty(context)) native.context = context;
  const traits = recordAt(message, 'traits', path) ?? (type === 'identify' ? traitsIn(context) : null);
  if (type === 'group') {
    native.group_type = 'group';
    native.group_key = identifierOf(message['groupId'], path, 'groupId');
  }
  if (type === 'group' || type === 'identify') {
    if (traits) native.traits = traits;
    return native;
  }
  native.properties = own;
  if (type === 'track') native.event = nameOf(message, path);
  return native;
}

const inAll = 'messageId userId timestamp sentAt context integrations writeKey ';
/** The members of a message that are in a native field, or name the key. */
const takenOf: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    track: 'type anonymousId properties event',
    page: 'type anonymousId properties name category',
    screen: 'type anonymousId properties name category',
    identify: 'type anonymousId traits',
    group: 'type anonymousId traits groupId',
    // Its type stays: natively it is an `identify` like others.
    alias: 'previousId traits',
  }).map(([name, own]) => [name, new Set((inAll + own).split(' '))]),
);

/** The members of a message that the native form has no field for, and a title if the properties have another one. */
function unknownOf(message: ForeignJson, name: string, own: ForeignJson): ForeignJson {
  const taken = takenOf[name];
  const isTitled = (member: string, value: unknown) => !titles.has(member) || !isGiven(value) || own[member] === value;
  return membersOf(message, (member, value) => (taken?.has(member) && isTitled(member, value) ? undefined : value));
}

const titles = new Set(['name', 'category']);

/** Those of a page have its name: the native form has no field for it. */
function propertiesOf(message: ForeignJson, path: string, type: 'track' | 'page'): ForeignJson {
  const own = recordAt(message, 'properties', path) ?? nothing;
  if (type === 'track') return own;
  return {
    ...membersOf(message, (member, value) => (titles.has(member) ? (textOf(value) ?? undefined) : undefined)),
    ...own,
  };
}

function nameOf(message: ForeignJson, path: string): string {
  return textOf(message['event']) ?? refuse('invalid_event', `${path}/event`, 'is required');
}

function assignActor(
  native: CollectionEvent,
  message: ForeignJson,
  path: string,
  other: 'anonymousId' | 'previousId',
): void {
  const { userId, [other]: anonymousId } = message;
  if (!isGiven(userId) && !isGiven(anonymousId)) refuse('invalid_event', `${path}/userId`, `or ${other} is required`);
  if (isGiven(userId)) native.user_id = identifierOf(userId, path, 'userId');
  if (isGiven(anonymousId)) native.anonymous_id = identifierOf(anonymousId, path, other);
}

/** `timestamp` as sent; else `originalTimestamp` without the skew of the sender's clock, which `sentAt` tells. */
function timestampOf(message: ForeignJson, path: string, { envelope, receivedAt }: Reading): string {
  const { timestamp } = message;
  if (isGiven(timestamp)) return timeAt(timestamp, `${path}/timestamp`);
  if (!isGiven(message['originalTimestamp'])) return receivedAt;
  const original = timeAt(message['originalTimestamp'], `${path}/originalTimestamp`);
  const sentAt = readTimestamp(sentAtOf(message, envelope) ?? '');
  if (sentAt === null) return original;
  // A clock that is thousands of years off corrects nothing.
  return timeOfMs(Date.parse(receivedAt) - (Date.parse(sentAt) - Date.parse(original))) ?? original;
}

/** `context` as sent, with `integrations` in it: the native form has no other place for them. */
function contextOf(message: ForeignJson, path: string, envelope: ForeignJson): ForeignJson {
  const ofBoth = (field: string) =>
    merged(recordAt(envelope, field, '') ?? nothing, recordAt(message, field, path) ?? nothing);
  const integrations = ofBoth('integrations');
  const context = ofBoth('context');
  return isEmpty(integrations) ? context : { ...context, integrations };
}

/** `context.screen` says that a page was a screen: the size that SDKs of phones have there moves beside it. */
const asScreen = ({ screen, ...context }: ForeignJson): ForeignJson => ({
  ...context,
  screen: true,
  ...(isGiven(screen) && screen !== true && { screen_size: screen }),
});

/** RudderStack's servers send a person's traits there. */
const traitsIn = ({ traits }: ForeignJson): ForeignJson | null => (isParsedObject(traits) ? traits : null);
