import { createHash } from 'node:crypto';
import type { CollectionEvent } from '../../../contract/collection.ts';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { deepestJson, isDeeperThan, nestingRule } from '../../json/nesting.ts';
import { uuidOf } from '../../uuid-of.ts';
import type { Batch } from '../receive/batch.ts';
import { compactLines } from '../receive/compact-lines.ts';
import { parseExactJson } from '../receive/exact-json.ts';
import { eventErrors } from '../receive/validate-events.ts';
import { nativeEventOf } from './event.ts';
import { isParsedObject, type PosthogJson, textOf } from './json.ts';
import { projectKeyOf } from './project-key.ts';
import { refuse } from './refuse.ts';

/**
 * Reads the wire format of the PostHog SDKs (C-POSTHOG-1): one event, an array, or `{ api_key, batch }`.
 * 400 `invalid_json` and `invalid_batch`, 401 `invalid_project_key`; later 413 and 422 of its events.
 */
export function parsePosthogBatch(text: string): Batch {
  const body = parseExactJson(text);
  const { events, at } = eventsOf(body);
  const { max } = limits.collection.events;
  if (events.length === 0) throw new Problem('invalid_batch_empty');
  if (events.length > max) {
    throw new Problem('invalid_batch', { errors: [{ path: at ?? '', message: `must have at most ${max} events` }] });
  }
  return {
    projectKey: projectKeyOf(body, events),
    size: events.length,
    lines: (receivedAt) => nativeLines({ envelope: isParsedObject(body) ? body : {}, text, events, at, receivedAt }),
  };
}

const shapes = 'The body is neither an event, nor an array of events, nor { "batch": [...] }.';

function eventsOf(body: unknown): { readonly events: readonly unknown[]; readonly at: string | null } {
  if (Array.isArray(body)) return { events: body, at: '' };
  if (!isParsedObject(body)) throw new Problem('invalid_batch_empty', { message: shapes });
  if (!Object.hasOwn(body, 'batch')) return { events: [body], at: null };
  if (!Array.isArray(body['batch'])) throw new Problem('invalid_batch_empty', { message: shapes });
  return { events: body['batch'], at: '/batch' };
}

type PosthogBatch = {
  readonly envelope: PosthogJson;
  readonly text: string;
  readonly events: readonly unknown[];
  /** JSON pointer of the array of events; null where the body itself is the event. */
  readonly at: string | null;
  readonly receivedAt: string;
};

function nativeLines({ envelope, text, events, at, receivedAt }: PosthogBatch): readonly string[] {
  if (envelope['historical_migration'] === true) {
    refuse('unsupported_event', '/historical_migration', 'historical import is not supported');
  }
  if (Object.entries(envelope).some(([name, value]) => name !== 'batch' && isDeeperThan(deepestJson, value))) {
    throw new Problem('invalid_batch', { errors: [{ path: '', message: nestingRule }] });
  }
  const pathOf = (index: number) => (at === null ? '' : `${at}/${index}`);
  compactLines(events, pathOf);
  const natives = events.map((event, index) =>
    nativeEventOf(event, { path: pathOf(index), id: () => deterministicId(text, index), receivedAt }),
  );
  const errors = natives.flatMap((event, index) => nativeErrors(event, pathOf(index), receivedAt));
  if (errors.length > 0) throw new Problem('invalid_event', { errors });
  const sentAt = textOf(envelope['sent_at']);
  return natives.map((event) => JSON.stringify(sentAt === null ? event : { ...event, sent_at: sentAt }));
}

/**
 * The native rules hold for what the event became; the place is the event, whose own fields have other names. Its
 * timestamp has more forms than a native one, and was read before.
 */
const nativeErrors = (event: CollectionEvent, path: string, receivedAt: string): readonly FieldError[] =>
  eventErrors({ ...event, timestamp: receivedAt }, '').map((error) => ({
    path,
    message: `${error.path.slice(1)} ${error.message}`,
  }));

/** The same for the same body and place, so that a retry is a duplicate. */
const deterministicId = (text: string, index: number): string =>
  uuidOf(createHash('sha256').update(`${index}\n${text}`).digest());
