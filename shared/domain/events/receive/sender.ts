import { originOf } from '../../workspaces/access/inputs.ts';
import type { Sender } from '../event-counts.ts';
import { withoutIds } from '../shapes/fold-names.ts';
import { isParsedObject, nothing } from './foreign-events.ts';

type Library = Pick<Sender, 'library' | 'version'>;

/** The library and the origin of a request. Only plain names are repeated; any other is `other`. */
export function senderOf(
  events: readonly unknown[],
  headers: Readonly<Record<string, string | undefined>>,
): Library & Pick<Sender, 'origin'> {
  const { origin } = headers;
  return { ...libraryOf(events, headers), origin: origin === undefined ? null : plainOrigin(origin) };
}

/** PostHog's SDKs have it among the properties, or in a header, Segment's in the context. */
function libraryOf(events: readonly unknown[], headers: Readonly<Record<string, string | undefined>>): Library {
  for (const event of events) {
    if (!isParsedObject(event)) continue;
    const { $lib, $lib_version } = objectIn(event, 'properties');
    if (typeof $lib === 'string') return plainLibrary($lib, $lib_version);
    const { name, version } = objectIn(objectIn(event, 'context'), 'library');
    if (typeof name === 'string') return plainLibrary(name, version);
  }
  const [product, version] = (headers['posthog-sdk-info'] ?? headers['user-agent'])?.split(/[/ (]/, 2) ?? [];
  if (product === 'Mozilla') return { library: 'browser', version: null };
  return product ? plainLibrary(product, version) : { library: null, version: null };
}

const objectIn = (holder: Readonly<Record<string, unknown>>, field: string) =>
  isParsedObject(holder[field]) ? holder[field] : nothing;

const unusual = 'other';

/** What posthog-js calls itself. */
const shownNames: Readonly<Record<string, string>> = { web: 'posthog-js' };
/** RudderStack's browser SDK is the one whose name has spaces. */
const libraryName = /^(?:@?[a-z][\w./-]{0,49}|RudderLabs [a-z ]{1,40})$/i;
const libraryVersion = /^\d[\w.+-]*$/;
const longestVersion = 30;

function plainLibrary(name: string, version: unknown): Library {
  if (!libraryName.test(name) || withoutIds(name) !== name) return { library: unusual, version: null };
  return { library: shownNames[name] ?? name, version: isPlainVersion(version) ? version : null };
}

const isPlainVersion = (version: unknown): version is string =>
  typeof version === 'string' &&
  version.length <= longestVersion &&
  libraryVersion.test(version) &&
  withoutIds(version) === version;

const longestOrigin = 300;

const plainOrigin = (text: string): string =>
  text.length <= longestOrigin && originOf(text) === text && !text.includes('@') ? text : unusual;
