import { limits } from '../../../contract/limits.ts';
import { type PosthogJson, textOf, textOrDigits } from './json.ts';
import { refuse } from './refuse.ts';

const maxCharacters = limits.collection.identifier;

/** An id of a person or a group as the SDKs send it: text or a number, not blank, without control characters; else 422. */
export function identifierOf(value: unknown, path: string): string {
  const text = textOrDigits(value);
  if (text === null) return refuse('invalid_event', path, 'must be non-blank text or a number');
  if ([...text].length > maxCharacters)
    return refuse('invalid_event', path, `must have at most ${maxCharacters} characters`);
  if (hasControl(text)) return refuse('invalid_event', path, 'must have no control character');
  return text.toWellFormed();
}

const hasControl = (text: string): boolean => [...text].some((character) => character < ' ' || character === '\x7f');

export type Actor = {
  readonly anonymous: boolean;
  /** posthog-js says of each event whether the person is identified; servers do not. */
  readonly fromBrowser: boolean;
  readonly ids: { readonly user_id?: string; readonly anonymous_id?: string };
};

const cookielessId = '$posthog_cookieless';

/** Who acted: C-POSTHOG-13, C-POSTHOG-14. 422 for an id that is none, for cookieless and for anonymous `$identify`. */
export function actorOf(event: PosthogJson, properties: PosthogJson, path: string): Actor {
  const id = identifierOf(
    event['distinct_id'] ?? event['$distinct_id'] ?? properties['distinct_id'],
    `${path}/distinct_id`,
  );
  if (properties['$cookieless_mode'] || id === cookielessId) {
    return refuse('unsupported_event', `${path}/distinct_id`, 'cookieless identity is not supported');
  }
  const fromBrowser = properties['$is_identified'] !== undefined;
  const declared = fromBrowser ? properties['$is_identified'] : properties['$process_person_profile'];
  const anonymous = declared === false || isGroupPlaceholder(event, properties, id);
  if (anonymous) return { anonymous, fromBrowser, ids: { anonymous_id: id } };
  const other = otherIdOf(event, properties, fromBrowser);
  return {
    anonymous,
    fromBrowser,
    ids: other === null || other === id ? { user_id: id } : { user_id: id, anonymous_id: other },
  };
}

/** SDKs that group without a person send `$<type>_<key>` as the id. */
const isGroupPlaceholder = (event: PosthogJson, properties: PosthogJson, id: string): boolean =>
  event['event'] === '$groupidentify' &&
  id === `$${textOrDigits(properties['$group_type'])}_${textOrDigits(properties['$group_key'])}`;

function otherIdOf(event: PosthogJson, properties: PosthogJson, fromBrowser: boolean): string | null {
  if (event['event'] === '$identify') return textOf(properties['$anon_distinct_id'] ?? properties['$device_id']);
  return fromBrowser ? textOf(properties['$device_id']) : null;
}
