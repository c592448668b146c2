import { type PosthogJson, wellFormed, wellFormedText } from './json.ts';

/** Where the SDKs' own properties stand in the native context. */
const contextPlaces: Readonly<Record<string, string>> = {
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

/** Of posthog-js alone: a server's `title` is a property of its own. */
const browserContextPlaces: Readonly<Record<string, string>> = { ...contextPlaces, title: 'page.title' };

const campaignKeys = new Set(
  (
    'utm_source utm_medium utm_campaign utm_content utm_term gad_source mc_cid gclid gclsrc dclid gbraid wbraid ' +
    'fbclid msclkid twclid li_fat_id igshid ttclid rdt_cid epik qclid sccid oppref bfcid irclid _kx'
  ).split(' '),
);

/** What the event says elsewhere, or what is a key. */
const dropped = new Set(['token', 'distinct_id', 'alias']);

/** Parts an event's properties into the sender's own and what describes the page, the device and the campaign. */
export function partProperties(
  properties: PosthogJson,
  fromBrowser: boolean,
): { readonly own: Record<string, unknown>; readonly context: Record<string, unknown> } {
  const own: [string, unknown][] = [];
  const context: Record<string, unknown> = {};
  const places = fromBrowser ? browserContextPlaces : contextPlaces;
  for (const [name, value] of Object.entries(properties)) {
    const place = fromBrowser && campaignKeys.has(name) ? `campaign.${name}` : placeOf(places, name);
    if (value === null && (place !== undefined || campaignKeys.has(name))) continue;
    if (place !== undefined) put(context, place, wellFormed(value));
    else if (!name.startsWith('$') && !dropped.has(name)) own.push([wellFormedText(name), wellFormed(value)]);
  }
  // Entries define, and never set, a property called __proto__.
  return { own: Object.fromEntries(own), context };
}

const placeOf = (places: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(places, name) ? places[name] : undefined;

/** Places have one part or two. */
function put(context: Record<string, unknown>, place: string, value: unknown): void {
  const [group, name] = place.split('.', 2);
  if (group === undefined) return;
  context[group] = name === undefined ? value : { ...(context[group] ?? {}), [name]: value };
}
