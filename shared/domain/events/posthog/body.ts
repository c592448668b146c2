import { collectionRoutes } from '../../../contract/collection.ts';
import { Problem } from '../../../contract/problems.ts';
import { mediaTypeOf, type RawBody, readBytes, readText } from '../../base/body.ts';
import { parseExactJson } from '../../base/json/read-json.ts';
import { isSecret } from '../../workspaces/access/secret.ts';
import {
  contentIds,
  type ForeignJson,
  isExactTime,
  isGiven,
  isParsedObject,
  mappedLines,
  onlyKeyOf,
  refuse,
  requireBatchSize,
  requireShallowEnvelope,
  textOf,
} from '../receive/foreign-events.ts';
import { type Batch, placeInBatch, type Reception } from '../receive/validate-events.ts';
import { nativeEventOf, uuidAt } from './event.ts';

/** The PostHog SDKs' format (C-POSTHOG-1). 400 `invalid_json` and `invalid_batch`, 401 `invalid_project_key`. */
export function parsePosthogBatch(text: string): Batch {
  const body = parseExactJson(text, placeInBatch);
  const { events, at } = eventsOf(body);
  requireBatchSize(events, at ?? '');
  return {
    projectKey: projectKeyOf(body, events),
    size: events.length,
    events,
    unnamed: events.filter((one) => isParsedObject(one) && !isGiven(one['uuid']) && !isExactTime(one['timestamp'])),
    lines: (reception) => nativeLines({ envelope: isParsedObject(body) ? body : {}, events, at }, reception),
  };
}

const shapes = 'The body must be an event, an array of events, or { "batch": [...] }.';

function eventsOf(body: unknown): { readonly events: readonly unknown[]; readonly at: string | null } {
  if (Array.isArray(body)) return { events: body, at: '' };
  if (!isParsedObject(body)) throw new Problem('invalid_batch_empty', { message: shapes });
  if (!Object.hasOwn(body, 'batch')) return { events: [body], at: null };
  if (!Array.isArray(body['batch'])) throw new Problem('invalid_batch_empty', { message: shapes });
  return { events: body['batch'], at: '/batch' };
}

type PosthogBatch = {
  readonly envelope: ForeignJson;
  readonly events: readonly unknown[];
  /** JSON pointer of the array of events; null if the body itself is the event. */
  readonly at: string | null;
};

function nativeLines(
  { envelope, events, at }: PosthogBatch,
  { receivedAt, attempt, refuseLine }: Reception,
): readonly string[] {
  if (envelope['historical_migration'] === true) {
    refuse('unsupported_event', '/historical_migration', 'historical import is not supported');
  }
  requireShallowEnvelope(envelope);
  const pathOf = (index: number) => (at === null ? '' : `${at}/${index}`);
  const idOfContent = contentIds(attempt);
  const nativeOf = (event: unknown, index: number) => {
    const path = pathOf(index);
    return nativeEventOf(event, {
      path,
      id: (event) => uuidAt(event, path) ?? idOfContent(event, event['timestamp']),
      receivedAt,
      unknownIn: (_, value) => value,
    });
  };
  const sentAt = textOf(envelope['sent_at']);
  return mappedLines(events, { pathOf, nativeOf, sentAt: () => sentAt, refuseLine });
}

const form = 'application/x-www-form-urlencoded';
const compressions = new Set(['gzip', 'gzip-js', 'base64']);

/** The JSON text of a body in any form that the SDKs send: plain, gzip, or the unload beacon's form of base64. */
export function readPosthogText(body: RawBody, query: Readonly<Record<string, string | undefined>>): string {
  requireCompression(query['compression']);
  // posthog-js sends gzip as `text/plain`, without a header that announces it.
  const text = readText(collectionRoutes.collectCompatible.body, body, { detectGzip: true });
  // curl names this type by default.
  if (mediaTypeOf(body.headers['content-type']) !== form || /^\s*[[{]/.test(text)) return text;
  const fields = new URLSearchParams(text);
  const compression = query['compression'] ?? fields.get('compression') ?? undefined;
  requireCompression(compression);
  const data = fields.get('data') ?? '';
  const isBase64 = compression === 'base64' || !/^\s*[[{]/.test(data);
  return isBase64 ? decodeBase64(data) : data;
}

/** Older encodings such as lz64 are not supported. */
function requireCompression(name: string | undefined): void {
  if (name && !compressions.has(name)) throw new Problem('unsupported_content_encoding');
}

/** Form decoding has made a blank of each `+` that was not escaped. */
function decodeBase64(data: string): string {
  const bytes = Buffer.from(data.replaceAll(' ', '+'), 'base64');
  return readBytes(bytes, collectionRoutes.collectCompatible.body);
}

/** The only key of a body or its events, else 401. An event's property `token` counts only in the form of a key. */
function projectKeyOf(body: unknown, events: readonly unknown[]): string {
  const keys = new Set<unknown>();
  const bodyHasKey = isParsedObject(body) && addKeys(keys, body);
  for (const event of events) {
    if (!isParsedObject(event)) continue;
    const isNamed = addKeys(keys, event) || bodyHasKey;
    const { properties } = event;
    const token = isParsedObject(properties) ? properties['token'] : undefined;
    if (isGiven(token) && (!isNamed || isProjectKey(token))) keys.add(token);
  }
  return onlyKeyOf(keys);
}

/** Adds the keys that a body or an event names. Returns whether there is one. */
function addKeys(keys: Set<unknown>, named: ForeignJson): boolean {
  let isNamed = false;
  for (const field of keyFields)
    if (isGiven(named[field])) {
      keys.add(named[field]);
      isNamed = true;
    }
  return isNamed;
}

const keyFields = ['api_key', 'token', '$token'] as const;

const isProjectKey = (token: unknown): boolean => typeof token === 'string' && isSecret('project_key', token);
