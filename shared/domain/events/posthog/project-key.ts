import { Problem } from '../../../contract/problems.ts';
import { isSecret } from '../../access/secret.ts';
import { isParsedObject } from './json.ts';

/**
 * The one key of a body: its `api_key` or `token`, or those of its events. Where one is given, `properties.token` counts
 * only in the form of a key, because a server's event may have a property of that name. None, or several different: 401.
 */
export function projectKeyOf(body: unknown, events: readonly unknown[]): string {
  const ofBody = isParsedObject(body) ? namedKeys(body) : [];
  const ofEvents = events.flatMap((event) => (isParsedObject(event) ? eventKeys(event, ofBody.length > 0) : []));
  const keys = new Set([...ofBody, ...ofEvents]);
  const [key] = keys;
  if (keys.size !== 1 || typeof key !== 'string') throw new Problem('invalid_project_key');
  return key;
}

const isGiven = (key: unknown): boolean => key !== undefined && key !== null && key !== '';

const namedKeys = (holder: Readonly<Record<string, unknown>>): readonly unknown[] =>
  [holder['api_key'], holder['token'], holder['$token']].filter(isGiven);

function eventKeys(event: Readonly<Record<string, unknown>>, bodyHasKey: boolean): readonly unknown[] {
  const named = namedKeys(event);
  const ofProperties = isParsedObject(event['properties']) ? [event['properties']['token']].filter(isGiven) : [];
  return [...named, ...ofProperties.filter((token) => (named.length === 0 && !bodyHasKey) || isProjectKey(token))];
}

const isProjectKey = (token: unknown): boolean => typeof token === 'string' && isSecret('project_key', token);
