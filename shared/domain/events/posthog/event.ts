import type { CollectionEvent } from '../../../contract/collection.ts';
import { readTimestamp } from '../../time/timestamp.ts';
import { type Actor, actorOf, identifierOf } from './identity.ts';
import { isParsedObject, type PosthogJson, textOf, textOrDigits, wellFormed } from './json.ts';
import { partProperties } from './properties.ts';
import { refuse } from './refuse.ts';

type EventPlace = {
  /** JSON pointer of the event in the request. */
  readonly path: string;
  /** The id of an event that has none of its own. */
  readonly id: () => string;
  /** The time of an event that has none of its own. */
  readonly receivedAt: string;
};

const profileEvents = new Set(['$identify', '$set', '$set_once']);
const reservedSurveyNames = new Set(['survey shown', 'survey sent', 'survey dismissed', 'survey abandoned']);

/** The native event of a PostHog event: C-POSTHOG-9 to C-POSTHOG-12. 422 `invalid_event` and `unsupported_event`. */
export function nativeEventOf(event: unknown, place: EventPlace): CollectionEvent {
  if (!isParsedObject(event)) return refuse('invalid_event', place.path, 'must be an object');
  const name = nameOf(event, place.path);
  const properties = recordAt(event, 'properties', place.path);
  const actor = actorOf(event, properties, place.path);
  const { own, context } = partProperties(properties, actor.fromBrowser);
  const common = {
    id: idOf(event, place),
    timestamp: timestampOf(event, place),
    ...actor.ids,
    ...sessionOf(properties),
    ...groupsOf(properties),
    ...(isEmpty(context) ? {} : { context }),
  };
  if (name === '$groupidentify') return { ...common, type: 'group', ...groupFields(properties, place.path) };
  const person = personFields(name, { event, properties, path: place.path }, actor);
  if (profileEvents.has(name)) return { ...common, type: 'identify', ...person };
  if (name === '$pageview') return { ...common, type: 'page', properties: own, ...person };
  return { ...common, type: 'track', event: name, properties: own, ...person };
}

function nameOf(event: PosthogJson, path: string): string {
  const name = textOf(event['event']);
  if (name === null) return refuse('invalid_event', `${path}/event`, 'is required');
  const isReserved =
    name.startsWith('$') && name !== '$pageview' && name !== '$groupidentify' && !profileEvents.has(name);
  if (isReserved || reservedSurveyNames.has(name)) {
    return refuse('unsupported_event', `${path}/event`, 'is a reserved event that is not supported');
  }
  return name;
}

/** An object, or nothing at all. */
function recordAt(holder: PosthogJson, field: string, path: string): PosthogJson {
  const value = holder[field] ?? {};
  return isParsedObject(value) ? value : refuse('invalid_event', `${path}/${field}`, 'must be an object');
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function idOf(event: PosthogJson, { path, id }: EventPlace): string {
  const given = event['uuid'] ?? '';
  if (given === '') return id();
  return typeof given === 'string' && uuid.test(given)
    ? given
    : refuse('invalid_event', `${path}/uuid`, 'must be a UUID');
}

function timestampOf(event: PosthogJson, { path, receivedAt }: EventPlace): string {
  const given = event['timestamp'];
  if (given === undefined) return receivedAt;
  return typeof given === 'string' && readTimestamp(given) !== null
    ? given
    : refuse('invalid_event', `${path}/timestamp`, 'must be an ISO 8601 date-time');
}

function sessionOf(properties: PosthogJson): { session_id?: string } {
  const session = textOf(properties['$session_id']);
  return session === null ? {} : { session_id: session };
}

/** Keys of groups may be numbers; what is neither is left for validation to refuse. */
function groupsOf(properties: PosthogJson): { groups?: Record<string, string> } {
  const groups = properties['$groups'];
  if (!isParsedObject(groups) || isEmpty(groups)) return {};
  return { groups: Object.fromEntries(Object.entries(groups).map(([type, key]) => [type, textOrDigits(key) ?? ''])) };
}

const groupFields = (properties: PosthogJson, path: string) => ({
  group_type: identifierOf(properties['$group_type'], `${path}/properties/$group_type`),
  group_key: identifierOf(properties['$group_key'], `${path}/properties/$group_key`),
  traits: given(recordAt(properties, '$group_set', `${path}/properties`)),
});

type PersonFields = { readonly traits?: Record<string, unknown>; readonly set_once?: Record<string, unknown> };

type ReceivedEvent = { readonly event: PosthogJson; readonly properties: PosthogJson; readonly path: string };

/** `$set` and `$set_once` stand at the top or in the properties; nothing is known of an anonymous person. */
function personFields(name: string, { event, properties, path }: ReceivedEvent, actor: Actor): PersonFields {
  const traits = given({ ...recordAt(event, '$set', path), ...recordAt(properties, '$set', `${path}/properties`) });
  const once = given({
    ...recordAt(event, '$set_once', path),
    ...recordAt(properties, '$set_once', `${path}/properties`),
  });
  const isUpdate = profileEvents.has(name) || !isEmpty(traits) || !isEmpty(once);
  if (isUpdate && actor.anonymous) {
    return refuse('unsupported_event', path, 'updates the profile of an anonymous person, which is not supported');
  }
  return { ...(isEmpty(traits) ? {} : { traits }), ...(isEmpty(once) ? {} : { set_once: once }) };
}

const isEmpty = (record: PosthogJson): boolean => Object.keys(record).length === 0;

/** Without the fields that are null. */
const given = (record: PosthogJson): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, wellFormed(value)]),
  );
