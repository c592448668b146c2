import { createHash } from 'node:crypto';
import { limits } from '../../../contract/limits.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import type { Batch } from '../batch.ts';
import { compactLines } from '../compact-lines.ts';
import { parseExactJson } from '../exact-json.ts';
import { eventErrors } from '../validate-events.ts';
import { nativeEventOf } from './event.ts';
import { isRecord, type Json, textOf } from './json.ts';
import { projectKeyOf } from './project-key.ts';
import { refuse } from './refuse.ts';

/**
 * Reads the wire format of the PostHog SDKs (decisions 11): one event, an array, or `{ api_key, batch }`.
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
    lines: (receivedAt) => nativeLines({ envelope: isRecord(body) ? body : {}, text, events, at, receivedAt }),
  };
}

const shapes = 'The body is neither an event, nor an array of events, nor { "batch": [...] }.';

function eventsOf(body: unknown): { readonly events: readonly unknown[]; readonly at: string | null } {
  if (Array.isArray(body)) return { events: body, at: '' };
  if (!isRecord(body)) throw new Problem('invalid_batch_empty', { message: shapes });
  if (!Object.hasOwn(body, 'batch')) return { events: [body], at: null };
  if (!Array.isArray(body['batch'])) throw new Problem('invalid_batch_empty', { message: shapes });
  return { events: body['batch'], at: '/batch' };
}

type PosthogBatch = {
  readonly envelope: Json;
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
  const pathOf = (index: number) => (at === null ? '' : `${at}/${index}`);
  compactLines(events, pathOf);
  const natives = events.map((event, index) =>
    nativeEventOf(event, { path: pathOf(index), id: () => deterministicId(text, index), receivedAt }),
  );
  const errors = natives.flatMap((event, index) => nativeErrors(event, pathOf(index)));
  if (errors.length > 0) throw new Problem('invalid_event', { errors });
  const sentAt = textOf(envelope['sent_at']);
  return natives.map((event) => JSON.stringify(sentAt === null ? event : { ...event, sent_at: sentAt }));
}

/** The native rules hold for what the event became; the place is the event, whose own fields have other names. */
const nativeErrors = (event: unknown, path: string): readonly FieldError[] =>
  eventErrors(event, '').map((error) => ({ path, message: `${error.path.slice(1)} ${error.message}` }));

/** The same for the same body and place, so that a retry is a duplicate; a UUID of version 8 (RFC 9562, 5.8). */
function deterministicId(text: string, index: number): string {
  const bytes = createHash('sha256').update(`${index}\n${text}`).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
