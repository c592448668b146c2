import type { QuarantinedItem } from '../../../contract/deliveries.ts';
import { beginningOf } from '../../../contract/fields.ts';
import { Fault } from '../../../contract/problems.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { microsOfEventTime } from '../graph/order.ts';
import { eventsOf } from '../ingest/accept-openlineage.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { contributionOf } from '../sources/openlineage/contribution.ts';
import type { RunEvent } from '../sources/openlineage/event.ts';
import type { Resolve } from '../sources/openlineage/event-names.ts';
import { datasetEventOf, jobEventOf, type StaticLineage } from '../sources/openlineage/run.ts';
import { type ValidEvent, validateEvent } from '../sources/openlineage/validate.ts';
import type { Warning } from './ports.ts';

export type EventItem = { readonly index: number; readonly location: string } & ValidEvent;

/** The events of a delivery that are valid, and what is wrong with the others. */
export function readItems({ kind, received_at }: Pick<Delivery, 'kind' | 'received_at'>, body: unknown) {
  const events = kind === 'openlineage_event' ? [body] : (eventsOf(body) ?? []);
  const prefix = kind === 'openlineage_event' ? '' : Array.isArray(body) ? '/' : '/events/';
  const quarantined: QuarantinedItem[] = [];
  const rejected = (item: QuarantinedItem) => {
    quarantined.push(item);
    return [];
  };
  const warnings: Warning[] = [];
  const items = events.flatMap((value, index): EventItem[] => {
    const location = prefix === '' ? '' : `${prefix}${index}`;
    if (!isJsonObject(value))
      return rejected({ index, code: 'not_an_object', message: `${location || '/'}: must be an object` });
    const validation = validateEvent(value);
    if (!validation.valid) {
      const message = validation.errors.map(({ path, message }) => `${location}${path}: ${message}`).join('; ');
      return rejected({ index, code: validation.code, message });
    }
    const time = timeOf(validation.event.eventTime, received_at);
    if (time === null)
      return rejected({ index, code: 'event_time_in_future', message: `${location}/eventTime: ${futureRule}` });
    for (const { path, rule, isMember, isHarmless } of validation.facetFindings) {
      if (isHarmless) continue;
      const code = isMember ? 'facet_member_dropped' : 'facet_dropped';
      warnings.push({ code, message: `${location}${path}: ${rule}` });
    }
    return [{ ...atTime(validation, time), index, location }];
  });
  return { items, quarantined, warnings };
}

const maxAheadMs = 86_400_000;
const futureRule = 'must not be more than 24 hours after the receipt';

function timeOf(eventTime: string, receivedAt: string): string | null {
  const ahead = Number(microsOfEventTime(eventTime)) / 1_000 - Date.parse(receivedAt);
  if (ahead > maxAheadMs) return null;
  return ahead > 0 ? receivedAt : eventTime;
}

const atTime = (valid: ValidEvent, eventTime: string): ValidEvent =>
  ({ kind: valid.kind, event: { ...valid.event, eventTime } }) as ValidEvent;

export type InterpretedItem = { readonly index: number; readonly location: string } & (
  | { readonly kind: 'run'; readonly event: RunEvent; readonly contribution: ReturnType<typeof contributionOf> }
  | { readonly kind: 'static'; readonly declared: StaticLineage }
);

/** What items state, before anything is written of them; one that cannot be interpreted is quarantined by itself. */
export function interpreted(items: readonly EventItem[], resolve: Resolve) {
  const failed: QuarantinedItem[] = [];
  const readable = items.flatMap((item): InterpretedItem[] => {
    const { index, location } = item;
    try {
      return [{ index, location, ...interpretedItem(item, resolve) }];
    } catch {
      failed.push(failedItem(index, location));
      return [];
    }
  });
  return { readable, failed };
}

function interpretedItem(item: EventItem, resolve: Resolve) {
  switch (item.kind) {
    case 'RunEvent':
      return { kind: 'run', event: item.event, contribution: contributionOf(item.event, resolve) } as const;
    case 'JobEvent':
      return { kind: 'static', declared: jobEventOf(item.event, resolve, item.location) } as const;
    case 'DatasetEvent':
      return { kind: 'static', declared: datasetEventOf(item.event, resolve, item.location) } as const;
  }
}

/** What a store answers where a request itself is wrong: the same item would be refused for ever. */
const refusedByStore = new Set(['SerializationException', 'ValidationException']);
/** What code throws that met a value it was not made for. */
const programErrors = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/** Whether the item itself caused the error, so that a retry fails too, and not the store or the end of the attempt. */
export function isItemFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Fault) return !error.code.startsWith('store_');
  if ('$metadata' in error || '$fault' in error) return refusedByStore.has(error.name);
  return programErrors.some((type) => error instanceof type);
}

/** The quarantine of an item that could not be projected; the error's own message may quote the item. */
export const failedItem = (index: number, location: string): QuarantinedItem => ({
  index,
  code: 'projection_failed',
  message: `${location || '/'}: cannot be projected`,
});

/** Why a delivery failed: if a store did, its error's code or name. */
export function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (isItemFailure(error)) return { code: 'projection_failed', message: 'The delivery cannot be projected.' };
  const name = error instanceof Fault ? error.code : error instanceof Error ? error.name : 'unknown';
  return { code: 'store_failed', message: `A store failed: ${beginningOf(name, 100)}.` };
}
