const reserved = ['$pageview', '$identify', '$set', '$set_once', '$groupidentify'];
const surveys = ['survey shown', 'survey sent', 'survey dismissed', 'survey abandoned'];

/** The name of a custom event, or of a reserved one that the service maps. */
export const isSupportedName = (name) =>
  name.charAt(0) === '$' ? reserved.indexOf(name) >= 0 : surveys.indexOf(name) < 0;

/** An event that only updates the profile of its person. */
export const isProfileUpdate = (name) => name === '$set' || name === '$set_once';

/** The event without person profile fields. */
export function withoutProfile(event) {
  const { $set: _set, $set_once: _once, ...rest } = event;
  const { $set: _innerSet, $set_once: _innerOnce, ...properties } = event.properties || {};
  return { ...rest, properties };
}

/** The base of the collection routes, without a final slash. */
export function collectUrl(baseUrl) {
  let end = baseUrl.length;
  while (baseUrl.charAt(end - 1) === '/') end--;
  return `${baseUrl.slice(0, end)}/collect`;
}

/** One filter and then the caller's own, which may be one, several or none. */
export const filters = (first, own) => [first].concat(own || []);
