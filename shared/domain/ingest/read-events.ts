import { limits } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { malformedJson } from '../json/malformed-json.ts';
import { readJson } from '../json/read-json.ts';

/** What a body holds, counted; whether its objects are events is validated later. */
type CountedEvents = {
  readonly itemCount: number;
  readonly refusedItemCount: number;
  /** Whether some event has no run. */
  readonly hasStaticEvents: boolean;
};

/** One event. Throws the 400 codes of C-OPENLINEAGE-5. */
export function readEvent(bytes: Uint8Array): CountedEvents {
  const event = jsonOf(bytes);
  if (!isJsonObject(event)) throw new Problem('openlineage_invalid_event');
  return { itemCount: 1, refusedItemCount: 0, hasStaticEvents: hasNoRun(event) };
}

/** An array of events, or an object that has one as `events`: 1 to 1,000. Throws as `readEvent`, and 413. */
export function readBatch(bytes: Uint8Array): CountedEvents {
  const events = eventsOf(jsonOf(bytes));
  if (events === null || events.length < limits.openlineage.batch.min) throw new Problem('openlineage_invalid_batch');
  if (events.length > limits.openlineage.batch.max) throw new Problem('openlineage_batch_too_large');
  const objects = events.filter(isJsonObject);
  return {
    itemCount: events.length,
    refusedItemCount: events.length - objects.length,
    hasStaticEvents: objects.some(hasNoRun),
  };
}

const hasNoRun = (event: Readonly<Record<string, unknown>>): boolean => !isJsonObject(event['run']);

/** The children of a batch body; null where it is of no form that a batch has. */
export function eventsOf(body: unknown): readonly unknown[] | null {
  const events = isJsonObject(body) ? body['events'] : body;
  return Array.isArray(events) ? events : null;
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Problem('openlineage_body_required');
  const read = readJson(bytes);
  if (!read.ok) throw malformedJson('openlineage_invalid_json', read);
  return read.value;
}
