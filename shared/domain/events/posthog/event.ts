import type { CollectionEvent } from '../../../contract/collection.ts';
import { isUuid } from '../../base/collections.ts';
import {
  type ForeignJson,
  identifierOf,
  isEmpty,
  isGiven,
  isParsedObject,
  isReadableTime,
  merged,
  nothing,
  refuse,
  refuseTime,
  textOf,
  textOrDigits,
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
  if (event['event'] === '$identify') return textOf(properties['$anon_distinct_id'] ?? properties['$device_id']);
  return fromBrowser ? textOf(properties['$device_id']) : null;
}

type EventPlace = {
  /** JSON pointer of the event in the request. */
  readonly path: string;
  readonly id: (event: ForeignJson) => string;
  readonly receivedAt: string;
};

const profileEvents = new Set(['$identify', '$set', '$set_once']);
const reservedSurveyNames = new Set(['survey shown', 'survey sent', 'survey dismissed', 'survey abandoned']);

/** The native event of a PostHog event: C-POSTHOG-9 to C-POSTHOG-12. 422 `invalid_event` and `unsupported_event`. */
export function nativeEventOf(event: unknown, place: EventPlace, given: ForeignJson | null = null): CollectionEvent {
  if (!isParsedObject(event)) return refuse('invalid_event', place.path, 'must be an object');
  const name = nameOf(event, place.path);
  const properties = given ?? recordAt(event, 'properties', place.path);
  const actor = actorOf(event, properties, place.path);
  const { own, context } = partProperties(properties, actor.fromBrowser);
  const type = typeOf(name);
  // Assigned, because spreads take most of the time of a mapping.
  const native: CollectionEvent = { id: place.id(event), timestamp: timestampOf(event, place), type };
  if (actor.userId !== null) native.user_id = actor.userId;
  if (actor.anonymousId !== null) native.anonymous_id = actor.anonymousId;
  const session = textOf(properties['$session_id']);
  if (session !== null) native.session_id = session;
  const groups = groupsOf(properties);
  if (groups !== null) native.groups = groups;
  if (!isEmpty(context)) native.context = context;
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

/** An object, or nothing at all. */
function recordAt(holder: ForeignJson, field: string, path: string, below = ''): ForeignJson {
  const value = holder[field] ?? nothing;
  return isParsedObject(value) ? value : refuse('invalid_event', `${path}${below}/${field}`, 'must be an object');
}

/** The UUID of an event at a path; null if it has none. */
export function uuidAt(event: ForeignJson, path: string): string | null {
  const { uuid } = event;
  if (!isGiven(uuid)) return null;
  return isUuid(uuid) ? uuid : refuse('invalid_event', `${path}/uuid`, 'must be a UUID');
}

function timestampOf(event: ForeignJson, { path, receivedAt }: EventPlace): string {
  const provided = event['timestamp'];
  if (provided === undefined) return receivedAt;
  return isReadableTime(provided) ? provided : refuseTime(`${path}/timestamp`);
}

/** Keys of groups may be numbers; what is neither is left for validation to refuse. */
function groupsOf(properties: ForeignJson): Record<string, string> | null {
  const groups = properties['$groups'];
  if (!isParsedObject(groups) || isEmpty(groups)) return null;
  return Object.fromEntries(Object.entries(groups).map(([type, key]) => [type, textOrDigits(key) ?? '']));
}

const groupFields = (properties: ForeignJson, path: string) => ({
  group_type: identifierOf(properties['$group_type'], path, 'properties/$group_type'),
  group_key: identifierOf(properties['$group_key'], path, 'properties/$group_key'),
  traits: input(recordAt(properties, '$group_set', path, '/properties')),
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
  return input(merged(recordAt(event, name, path), recordAt(properties, name, path, '/properties')));
}

const input = (record: ForeignJson): ForeignJson =>
  record === nothing ? nothing : Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

type Place = readonly [group: string, name?: string];

/** What the event says elsewhere, or what is a key. */
const dropped = ['token', 'distinct_id', 'alias'];

const placesOf = (places: Readonly<Record<string, string>>): ReadonlyMap<string, Place | null> =>
  new Map([
    ...Object.entries(places).map(([property, place]) => [property, place.split('.') as [string, string?]] as const),
    ...dropped.map((property) => [property, null] as const),
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

/** Parts an event's properties into the sender's own and what describes the page, the device and the campaign. */
function partProperties(
  properties: ForeignJson,
  fromBrowser: boolean,
): { readonly own: Record<string, unknown>; readonly context: Record<string, unknown> } {
  const own: Record<string, unknown> = {};
  const context: Record<string, unknown> = {};
  const places = fromBrowser ? browserPlaces : serverPlaces;
  for (const name in properties) {
    const value = properties[name];
    const place = places.get(name);
    if (place === null || (value === null && (place !== undefined || Object.hasOwn(campaignPlaces, name)))) continue;
    if (place !== undefined) put(context, place, value);
    else if (!name.startsWith('$')) define(own, name, value);
  }
  return { own, context };
}

/** Sets a property, also one called __proto__. */
function define(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true });
}

function put(context: Record<string, unknown>, [group, name]: Place, value: unknown): void {
  const held = context[group];
  if (name === undefined) context[group] = value;
  else if (held === undefined) context[group] = { [name]: value };
  else Object(held)[name] = value;
}
