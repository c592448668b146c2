import { collectionRoutes } from '../../../contract/collection.ts';
import type { CaptureResult } from '../../../contract/foreign-formats.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import type { RawBody } from '../../base/body.ts';
import { isUuid } from '../../base/collections.ts';
import { bearerOf } from '../../workspaces/access/secret.ts';
import {
  type ForeignJson,
  isEmpty,
  isGiven,
  isParsedObject,
  mappedLines,
  nothing,
  onlyKeyOf,
  readForeign,
  refuse,
  requireBatchSize,
  textOf,
} from '../receive/foreign-events.ts';
import type { Batch } from '../receive/validate-events.ts';
import { nativeEventOf } from './event.ts';

/** A batch of PostHog's Capture V1. Once its lines are read, `results` has the verdict on each event. */
export type CaptureBatch = Batch & { readonly results: ReadonlyMap<string, CaptureResult> };

/** C-POSTHOG-21: the key is the bearer. 400 `invalid_json` and `invalid_batch`, 401 `invalid_project_key`; 422 if an event cannot be named. */
export function readCaptureBatch(body: RawBody): CaptureBatch {
  const envelope = readForeign(collectionRoutes.captureEvents.body, body);
  const events = isParsedObject(envelope) ? envelope['batch'] : null;
  if (!isParsedObject(envelope) || !Array.isArray(events))
    throw new Problem('invalid_batch_empty', { message: 'The body must be { "batch": [...] }.' });
  requireBatchSize(events, '/batch');
  const results = new Map<string, CaptureResult>();
  const refused: Record<string, number> = {};
  const errors: FieldError[] = [];
  const [$lib, $lib_version] = textOf(body.headers['posthog-sdk-info'])?.split('/', 2) ?? [];
  const library = { ...($lib && { $lib }), ...($lib_version && { $lib_version }) };
  return {
    projectKey: onlyKeyOf([bearerOf(body.headers['authorization'])]),
    isHeaderSpent: true,
    size: events.length,
    events,
    results,
    refused,
    errors,
    unnamed: [],
    lines: ({ receivedAt, refuseLine }) => {
      if (envelope['historical_migration'] === true)
        refuse('unsupported_event', '/historical_migration', 'historical import is not supported');
      const uuids = events.map(uuidOf);
      const sentAt = textOf(envelope['created_at']);
      const linesOf = (from: number, to: number) =>
        mappedLines(events.slice(from, to), {
          pathOf: (index) => pathOf(from + index),
          nativeOf: (event, index) => {
            const place = { path: pathOf(from + index), id: () => uuids[from + index] ?? '', receivedAt, unknownIn };
            return nativeEventOf(event, place, legacyProperties(event, library));
          },
          sentAt: () => sentAt,
          refuseLine,
        });
      try {
        const lines = linesOf(0, events.length);
        for (const uuid of uuids) results.set(uuid, accepted);
        return lines;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
      // One of them breaks a rule, so that they are read one by one.
      return uuids.flatMap((uuid, index) => {
        try {
          const lines = linesOf(index, index + 1);
          results.set(uuid, accepted);
          return lines;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          // An event of the same id may have been accepted.
          if (!results.has(uuid)) results.set(uuid, { result: 'drop', details: detailsOf(error) });
          refused[error.code] = (refused[error.code] ?? 0) + 1;
          errors.push(...error.errors);
          return [];
        }
      });
    },
  };
}

const pathOf = (index: number): string => `/batch/${index}`;

const accepted = { result: 'ok' } as const;

/** The verdicts are by id: an event without one refuses its batch. */
function uuidOf(event: unknown, index: number): string {
  const uuid = isParsedObject(event) ? event['uuid'] : null;
  if (isUuid(uuid)) return uuid;
  return refuse('invalid_event', `${pathOf(index)}/uuid`, 'must be a UUID');
}

const detailsOf = ({ code, errors: [first] }: Problem): string =>
  first === undefined ? code : `${code}: ${first.path} ${first.message}`;

/** Not what `legacyProperties` moves. */
function unknownIn(member: string, value: unknown): unknown {
  if (member === 'session_id' || member === 'window_id') return undefined;
  if (member !== 'options' || !isParsedObject(value)) return value;
  const { cookieless_mode: _, process_person_profile: __, ...others } = value;
  return isEmpty(others) ? undefined : others;
}

/** The properties as the older routes have them: V1 moved some out of them. Null if they are no objects. */
function legacyProperties(event: unknown, library: ForeignJson): ForeignJson | null {
  if (!isParsedObject(event)) return null;
  const { session_id, window_id } = event;
  const [properties, options] = [event['properties'] ?? nothing, event['options'] ?? nothing];
  if (!isParsedObject(properties) || !isParsedObject(options)) return null;
  const legacy: Record<string, unknown> = { ...properties };
  if (!isEmpty(library)) Object.assign(legacy, library);
  if (isGiven(session_id)) legacy['$session_id'] = session_id;
  if (isGiven(window_id)) legacy['$window_id'] = window_id;
  const { cookieless_mode, process_person_profile } = options;
  if (isGiven(cookieless_mode)) legacy['$cookieless_mode'] = cookieless_mode;
  if (isGiven(process_person_profile)) legacy['$process_person_profile'] = process_person_profile;
  return legacy;
}
