import { isJsonObject } from '../../base/json/read-json.ts';
import { microsOfEventTime } from '../graph/order.ts';
import { eventsOf } from '../ingest/accept-openlineage.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import { type ValidEvent, validateEvent } from '../sources/openlineage/validate.ts';
import type { Warning } from './ports.ts';

type ProcessedOutcome = Extract<DeliveryOutcome, { readonly kind: 'processed' }>;

export type EventItem = { readonly index: number; readonly location: string } & ValidEvent;
type ReadItems = {
  readonly items: readonly EventItem[];
  readonly quarantined: ProcessedOutcome['quarantined'];
  readonly warnings: Warning[];
};

/** The events of a delivery that are valid, and what is wrong with the others. */
export function readItems({ kind, received_at }: Delivery, body: unknown): ReadItems {
  const events = kind === 'openlineage_event' ? [body] : (eventsOf(body) ?? []);
  const prefix = kind === 'openlineage_event' ? '' : Array.isArray(body) ? '/' : '/events/';
  const quarantined: { index: number; code: string; message: string }[] = [];
  const warnings: Warning[] = [];
  const items = events.flatMap((value, index): EventItem[] => {
    const location = prefix === '' ? '' : `${prefix}${index}`;
    if (!isJsonObject(value)) {
      quarantined.push({ index, code: 'not_an_object', message: `${location || '/'}: must be an object` });
      return [];
    }
    const validation = validateEvent(value);
    if (!validation.valid) {
      const [first] = validation.errors;
      const message = `${location}${first?.path ?? ''}: ${first?.message ?? 'is no OpenLineage event'}`;
      quarantined.push({ index, code: validation.code, message });
      return [];
    }
    const time = timeOf(validation.event.eventTime, received_at);
    if (time === null) {
      quarantined.push({ index, code: 'event_time_in_future', message: `${location}/eventTime: ${futureRule}` });
      return [];
    }
    for (const { path, rule } of validation.facetFindings) {
      warnings.push({ code: 'facet_dropped', message: `${location}${path}: ${rule}` });
    }
    return [{ ...atTime(validation, time), index, location }];
  });
  return { items, quarantined, warnings };
}

const maxAheadMs = 86_400_000;
const futureRule = 'must not be more than 24 hours after the receipt';

/** The time that an event counts at: no later than its receipt, whatever its sender's clock says; null where it lies. */
function timeOf(eventTime: string, receivedAt: string): string | null {
  const ahead = Number(microsOfEventTime(eventTime)) / 1_000 - Date.parse(receivedAt);
  if (ahead > maxAheadMs) return null;
  return ahead > 0 ? receivedAt : eventTime;
}

const atTime = (valid: ValidEvent, eventTime: string): ValidEvent =>
  ({ kind: valid.kind, event: { ...valid.event, eventTime } }) as ValidEvent;
