import type { CollectionEvent } from '../../../contract/collection.ts';
import { isUuid } from '../../base/collections.ts';
import {
  define,
  type ForeignJson,
  identifierOf,
  isEmpty,
  isGiven,
  isParsedObject,
  membersOf,
  merged,
  nothing,
  recordAt,
  refuse,
  textOf,
  textOrDigits,
  timeAt,
  timeOfMs,
  withSent,
} from '../receive/foreign-events.ts';

type Actor = {
  readonly anonymous: boolean;
  /** posthog-js says of each event whether the person is identified; servers do not. */
  readonly fromBrowser: boolean;
  readonly userId: string | null;
  readonly anonymousId: string | null;
};

const cookielessId = '$posthog_cookieless';

/** Who acted: C-POSTHOG-13, C-POSTHOG-14. 422 for an id that is none, for cookieless and for anonymous `$identify`. */
function actorOf(event: ForeignJson, properties: ForeignJson, path: string): Actor {
  const id = identifierOf(
    event['distinct_id'] ?? event['$distinct_id'] ?? properties['distinct_id'],
    path,
    'distinct_id',
  );
  if (id.includes('\0')) return refuse('invalid_event', `${path}/distinct_id`, 'must not have the character NUL');
  if (properties['$cookieless_mode'] || id === cookielessId) {
    return refuse('unsupported_event', `${path}/distinct_id`, 'cookieless identity is not supported');
  }
  const fromBrowser = properties['$is_identified'] !== undefined;
  const declared = fromBrowser ? properties['$is_identified'] : properties['$process_person_profile'];
  const anonymous = declared === false || isGroupPlaceholder(event, properties, id);
  if (anonymous) return { anonymous, fromBrowser, userId: null, anonymousId: id };
  const other = otherIdOf(event, properties, fromBrowser);
  return { anonymous, fromBrowser, userId: id, anonymousId: other === id ? null : other };
}

/** SDKs that group without a person send `$<type>_<key>` as the id. */
const isGroupPlaceholder = (event: ForeignJson, properties: ForeignJson, id: string): boolean =>
  event['event'] === '$groupidentify' &&
  id === `$${textOrDigits(properties['$group_type'])}_${textOrDigits(properties['$group_key'])}`;

function otherIdOf(event: ForeignJson, properties: ForeignJson, fromBrowser: boolean): string | null {
  const device = textOrDigits(properties['$device_id']);
  if (event['event'] === '$identify') return textOrDigits(properties['$anon_distinct_id']) ?? device;
  return fromBrowser ? device : null;
}

type EventPlace = {
  /** JSON pointer of the event in the request. */
  readonly path: string;
  readonly id: (event: ForeignJson) => string;
  readonly receivedAt: string;
  /** What is unknown in a member that the native form has no field for; undefined if nothing is. */
  readonly unknownIn: (member: string, value: unknown) => unknown;
};

const profileEvents = new Set(['$identify', '$set', '$set_once']);
const reservedSurveyNames = new Set(['survey shown', 'survey sent', 'survey dismissed', 'survey abandoned']);

/** The native event of a PostHog event: C-POSTHOG-9 to C-POSTHOG-12. 422 `invalid_event` and `unsupported_event`. */
export function nativeEventOf(event: unknown, place: EventPlace, given: ForeignJson | null = null): CollectionEvent {
  if (!isParsedObject(event)) return refuse('invalid_event', place.path, 'must be an object');
  const name = nameOf(event, place.path);
  const properties = given ?? recordAt(event, 'properties', place.path) ?? nothing;
  const actor = actorOf(event, properties, place.path);
  const type = typeOf(name);
  const session = textOf(properties['$session_id']);
  const { own, context } = partProperties(properties, { type, actor, session });
  // Assigned, because spreads take most of the time of a mapping.
  const native: CollectionEvent = { id: place.id(event), timestamp: timestampOf(event, place), type };
  if (actor.userId !== null) native.user_id = actor.userId;
  if (actor.anonymousId !== null) native.anonymous_id = actor.anonymousId;
  if (session !== null) native.session_id = session;
  const groups = groupsOf(properties);
  if (groups !== null) native.groups = groups;
  const all = withSent(context, unknownOf(event, place, type, type === 'track' || type === 'page' ? nothing : own));
  if (!isEmpty(all)) native.context = all;
  if (type === 'group') return Object.assign(native, groupFields(properties, place.path));
  if (type === 'track') native.event = name;
  if (type !== 'identify') native.properties = own;
  const { traits, once } = personFields(name, { event, properties, path: place.path }, actor);
  if (!isEmpty(traits)) native.traits = traits;
  if (!isEmpty(once)) native.set_once = once;
  return native;
}

function typeOf(name: string): CollectionEvent['type'] {
  if (name === '$groupidentify') return 'group';
  if (profileEvents.has(name)) return 'identify';
  return name === '$pageview' ? 'page' : 'track';
}

function nameOf(event: ForeignJson, path: string): string {
  const name = textOf(event['event']);
  if (name === null) return refuse('invalid_event', `${path}/event`, 'is required');
  const isReserved =
    name.startsWith('$') && name !== '$pageview' && name !== '$groupidentify' && !profileEvents.has(name);
  if (isReserved || reservedSurveyNames.has(name)) {
    return refuse('unsupported_event', `${path}/event`, 'is a reserved event that is not supported');
  }
  return name;
}

/** The UUID of an event at a path; null if it has none. */
export function uuidAt(event: ForeignJson, path: string): string | null {
  const { uuid } = event;
  if (!isGiven(uuid)) return null;
  return isUuid(uuid) ? uuid : refuse('invalid_event', `${path}/uuid`, 'must be a UUID');
}

function timestampOf({ timestamp, offset }: ForeignJson, { path, receivedAt }: EventPlace): string {
  if (isGiven(timestamp)) return timeAt(timestamp, `${path}/timestamp`);
  return isGiven(offset) ? timeBefore(receivedAt, offset, `${path}/offset`) : receivedAt;
}

/** posthog-js before September 2026 says how many milliseconds before the request an event happened. */
function timeBefore(receivedAt: string, offset: unknown, path: string): string {
  const time = timeOfMs(Date.parse(receivedAt) - Number(textOrDigits(offset) ?? Number.NaN));
  return time ?? refuse('invalid_event', path, 'must be a number of milliseconds');
}

/** Keys of groups may be numbers, and null or empty text for no group; anything else is left for validation to refuse. */
function groupsOf(properties: ForeignJson): Record<string, string> | null {
  const groups = properties['$groups'];
  if (!isParsedObject(groups)) return null;
  const keys = Object.entries(groups).filter(([, key]) => isGiven(key));
  return keys.length === 0 ? null : Object.fromEntries(keys.map(([type, key]) => [type, textOrDigits(key) ?? '']));
}

const groupFields = (properties: ForeignJson, path: string) => ({
  group_type: identifierOf(properties['$group_type'], path, 'properties/$group_type'),
  group_key: identifierOf(properties['$group_key'], path, 'properties/$group_key'),
  traits: { ...recordAt(properties, '$group_set', `${path}/properties`) },
});

type PersonFields = { readonly traits: ForeignJson; readonly once: ForeignJson };

type ReceivedEvent = { readonly event: ForeignJson; readonly properties: ForeignJson; readonly path: string };

/** `$set` and `$set_once` are at the top or in the properties; nothing is known of an anonymous person. */
function personFields(name: string, received: ReceivedEvent, actor: Actor): PersonFields {
  const [traits, once] = [updateOf('$set', received), updateOf('$set_once', received)];
  const isUpdate = profileEvents.has(name) || !isEmpty(traits) || !isEmpty(once);
  if (isUpdate && actor.anonymous) {
    return refuse(
      'unsupported_event',
      received.path,
      'updates the profile of an anonymous person, which is not supported',
    );
  }
  return { traits, once };
}

function updateOf(name: '$set' | '$set_once', { event, properties, path }: ReceivedEvent): ForeignJson {
  // Most events have none: two lookups cost less than two objects that are empty.
  if (event[name] === undefined && properties[name] === undefined) return nothing;
  const inProperties = recordAt(properties, name, `${path}/properties`) ?? nothing;
  const all = merged(recordAt(event, name, path) ?? nothing, inProperties);
  return event['event'] === '$identify' ? withoutNullCampaign(all) : all;
}

/** posthog-js names each campaign parameter that a page did not have. A null of another trait removes it from a person. */
const withoutNullCampaign = (traits: ForeignJson): ForeignJson =>
  Object.fromEntries(Object.entries(traits).filter(([name, value]) => value !== null || !isCampaign(name)));

const isCampaign = (name: string): boolean => Object.hasOwn(campaignPlaces, name.replace(/^\$initial_/, ''));

type Part = { readonly type: CollectionEvent['type']; readonly actor: Actor; readonly session: string | null };

type Place = readonly [group: string, name?: string];
type IsTaken = (value: unknown, part: Part) => boolean;

const isOfActor: IsTaken = (value, { actor }) => value === actor.anonymousId || value === actor.userId;
const isOfGroup: IsTaken = (_, { type }) => type === 'group';
const isOfPerson: IsTaken = (_, { type }) => type !== 'group';
const isDropped: IsTaken = () => true;

/** Whether a property is in a native field. The key is dropped, and what the ids of the native event say: C-POSTHOG-22. */
const takenProperties: Readonly<Record<string, IsTaken>> = {
  token: isDropped,
  distinct_id: isDropped,
  $is_identified: isDropped,
  $groups: isParsedObject,
  $session_id: (value, { session }) => value === session,
  $set: isOfPerson,
  $set_once: isOfPerson,
  $group_type: isOfGroup,
  $group_key: isOfGroup,
  $group_set: isOfGroup,
  $anon_distinct_id: isOfActor,
  $device_id: isOfActor,
};

const placesOf = (places: Readonly<Record<string, string>>): ReadonlyMap<string, Place | IsTaken> =>
  new Map<string, Place | IsTaken>([
    ...Object.entries(places).map(([property, place]) => [property, place.split('.') as [string, string?]] as const),
    ...Object.entries(takenProperties),
  ]);

/** Where the SDKs' own properties are in the native context. */
const contextPlaces = {
  $current_url: 'page.url',
  $pathname: 'page.path',
  $host: 'page.host',
  $referrer: 'page.referrer',
  $lib: 'library.name',
  $lib_version: 'library.version',
  $os: 'os.name',
  $os_version: 'os.version',
  $browser: 'browser.name',
  $browser_version: 'browser.version',
  $browser_language: 'locale',
  $device_type: 'device.type',
  $screen_width: 'screen.width',
  $screen_height: 'screen.height',
  $viewport_width: 'viewport.width',
  $viewport_height: 'viewport.height',
  $timezone: 'timezone',
  $raw_user_agent: 'user_agent',
  $window_id: 'window_id',
};

const campaignKeys = (
  'utm_source utm_medium utm_campaign utm_content utm_term gad_source mc_cid gclid gclsrc dclid gbraid wbraid ' +
  'fbclid msclkid twclid li_fat_id igshid ttclid rdt_cid epik qclid sccid oppref bfcid irclid _kx'
).split(' ');
const campaignPlaces = Object.fromEntries(campaignKeys.map((key) => [key, `campaign.${key}`]));

/** A server's `title` and campaign are custom properties; a campaign of null is left out. */
const serverPlaces = placesOf(contextPlaces);
const browserPlaces = placesOf({ ...contextPlaces, title: 'page.title', ...campaignPlaces });

/** Parts an event's properties into the sender's own and the context: the page, the device, the campaign, and all other properties of the SDK as they were sent. */
function partProperties(properties: ForeignJson, part: Part) {
  const own: Record<string, unknown> = {};
  const context: Record<string, unknown> = {};
  const places = part.actor.fromBrowser ? browserPlaces : serverPlaces;
  for (const name in properties) {
    const value = properties[name];
    const place = places.get(name);
    if (typeof place === 'function') {
      if (!place(value, part)) context[name] = value;
    } else if (place !== undefined) {
      if (value !== null) put(context, place, value);
    } else if (name.startsWith('$')) context[name] = value;
    else if (value !== null || !Object.hasOwn(campaignPlaces, name)) define(own, name, value);
  }
  return { own, context };
}

/** Members of an event that are in a native field, or name the key. */
const takenMembers = new Set(
  'event properties uuid timestamp distinct_id $distinct_id $set $set_once api_key token $token sent_at'.split(' '),
);

/** The members of an event that the native form has no field for, and the properties of a person or a group. */
function unknownOf(
  event: ForeignJson,
  { unknownIn }: EventPlace,
  type: CollectionEvent['type'],
  own: ForeignJson,
): ForeignJson {
  const unknown = membersOf(event, (name, value) =>
    takenMembers.has(name) && !(type === 'group' && name.startsWith('$set')) ? undefined : unknownIn(name, value),
  );
  return isEmpty(own) ? unknown : { ...unknown, properties: own };
}

function put(context: Record<string, unknown>, [group, name]: Place, value: unknown): void {
  const held = context[group];
  if (name === undefined) context[group] = value;
  else if (held === undefined) context[group] = { [name]: value };
  else Object(held)[name] = value;
}
