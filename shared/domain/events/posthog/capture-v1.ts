import { collectionRoutes } from '../../../contract/collection.ts';
import type { CaptureResults } from '../../../contract/foreign-formats.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { type RawBody, readText } from '../../base/body.ts';
import { parseExactJson } from '../../base/json/read-json.ts';
import { bearerOf } from '../../workspaces/access/secret.ts';
import {
  type ForeignJson,
  isGiven,
  isParsedObject,
  nothing,
  onlyKeyOf,
  refuse,
  requireBatchSize,
  requireNativeRules,
  storedLine,
  textOf,
} from '../receive/foreign-events.ts';
import { type Batch, type RefuseLine, requireModestEvents, requirePlanned } from '../receive/validate-events.ts';
import { nativeEventOf, uuidForm } from './event.ts';

/** A batch of PostHog's Capture V1. Once its lines are read, `results` has the verdict on each event. */
export type CaptureBatch = Batch & { readonly results: ReadonlyMap<string, CaptureResults[string]> };

/** C-POSTHOG-21: the key is the bearer. 400 `invalid_json` and `invalid_batch`, 401 `invalid_project_key`; 422 if an event cannot be named. */
export function readCaptureBatch(body: RawBody): CaptureBatch {
  const envelope = parseExactJson(readText(collectionRoutes.captureEvents.body, body, { detectGzip: true }));
  const events = isParsedObject(envelope) ? envelope['batch'] : null;
  if (!isParsedObject(envelope) || !Array.isArray(events))
    throw new Problem('invalid_batch_empty', { message: 'The body must be { "batch": [...] }.' });
  requireBatchSize(events, '/batch');
  const results = new Map<string, CaptureResults[string]>();
  const refused: Record<string, number> = {};
  const errors: FieldError[] = [];
  const [$lib, $lib_version] = textOf(body.headers['posthog-sdk-info'])?.split('/', 2) ?? [];
  const library = { ...($lib && { $lib }), ...($lib_version && { $lib_version }) };
  return {
    projectKey: onlyKeyOf([bearerOf(body.headers['authorization'])]),
    isHeaderSpent: true,
    size: events.length,
    results,
    refused,
    errors,
    lines: (receivedAt, refuseLine) => {
      if (envelope['historical_migration'] === true)
        refuse('unsupported_event', '/historical_migration', 'historical import is not supported');
      const sentAt = textOf(envelope['created_at']);
      return events.flatMap((event, index) => {
        const uuid = uuidOf(event, index);
        try {
          const place = { path: `/batch/${index}`, id: () => uuid, receivedAt, library, sentAt, refuseLine };
          const line = lineOf(event, place);
          results.set(uuid, accepted);
          return line;
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

const accepted = { result: 'ok' } as const;

/** The verdicts are by id: an event without one refuses its batch. */
function uuidOf(event: unknown, index: number): string {
  const uuid = isParsedObject(event) ? event['uuid'] : null;
  if (typeof uuid === 'string' && uuidForm.test(uuid)) return uuid;
  return refuse('invalid_event', `/batch/${index}/uuid`, 'must be a UUID');
}

const detailsOf = ({ code, errors: [first] }: Problem): string =>
  first === undefined ? code : `${code}: ${first.path} ${first.message}`;

type Place = {
  readonly path: string;
  readonly id: () => string;
  readonly receivedAt: string;
  /** The properties that say which SDK has sent the batch. */
  readonly library: ForeignJson;
  readonly sentAt: string | null;
  readonly refuseLine: RefuseLine | undefined;
};

function lineOf(event: unknown, place: Place): string {
  const { path, library, sentAt, refuseLine } = place;
  requireModestEvents([event], () => path);
  if (!isParsedObject(event)) return refuse('invalid_event', path, 'must be an object');
  const native = nativeEventOf(event, place, legacyProperties(event, library));
  requireNativeRules([native], () => path);
  const line = storedLine(native, sentAt);
  requirePlanned([line], () => path, refuseLine);
  return line;
}

/** The properties as the older routes have them: V1 moved some out of them. Null if they are no objects. */
function legacyProperties(event: ForeignJson, library: ForeignJson): ForeignJson | null {
  const { properties, options = null, session_id, window_id } = event;
  if (!isParsedObject(properties ?? nothing) || !isParsedObject(options ?? nothing)) return null;
  const { cookieless_mode, process_person_profile } = Object(options);
  const legacy: Record<string, unknown> = { ...Object(properties), ...library };
  if (isGiven(session_id)) legacy['$session_id'] = session_id;
  if (isGiven(window_id)) legacy['$window_id'] = window_id;
  if (isGiven(cookieless_mode)) legacy['$cookieless_mode'] = cookieless_mode;
  if (isGiven(process_person_profile)) legacy['$process_person_profile'] = process_person_profile;
  return legacy;
}
