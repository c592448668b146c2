import * as v from 'valibot';
import { Fault, Problem } from '../../../contract/problems.ts';
import { memoised } from '../../base/caching.ts';
import { contentDigest, type ScopeId } from './node.ts';

/** Fixed-width digits that compare as text: acceptances of snapshot scopes, event times of static ones (G-SCOPE-2). */
export type Order = string & { readonly __brand: 'Order' };

const width = 22;

export const snapshotOrder = (sequence: number): Order => String(sequence).padStart(width, '0') as Order;

/** The order of a static event: its time, and four digits of its digest where two events share the microsecond. */
export function eventOrder(at: Micros, digest: string): Order {
  let tie = 0;
  for (const character of digest) tie = (tie * 31 + character.charCodeAt(0)) % 10_000;
  return `${at}${String(tie).padStart(width - microsWidth, '0')}` as Order;
}

export const zeroOrder = '0'.repeat(width) as Order;

/** Microseconds since 1970 as 18 digits: comparable as text. */
export type Micros = string & { readonly __brand: 'Micros' };

const microsWidth = 18;

/** From a count of microseconds since 1970; what is earlier counts as 1970. */
export const micros = (count: bigint): Micros => String(count < 0n ? 0n : count).padStart(microsWidth, '0') as Micros;

export const microsOfDigits = (digits: string): Micros => digits.padStart(microsWidth, '0') as Micros;

/** Of a UTC time as ISO 8601 writes it, which tells milliseconds. */
export const microsOfIso = (iso: string): Micros => micros(BigInt(Date.parse(iso)) * 1000n);

/** The same backwards; what is below a millisecond is left out. All that a run observed has one time. */
export const isoOfMicros: (at: Micros) => string = memoised(5_000, (at) =>
  new Date(Number(at.slice(0, -3))).toISOString(),
);

/** From a first time to a last one. */
export type Span = { readonly first: Micros; readonly last: Micros };

/** The least span that holds both. */
export const joinedSpans = (a: Span, b: Span): Span => ({
  first: isBefore(a.first, b.first) ? a.first : b.first,
  last: isBefore(a.last, b.last) ? b.last : a.last,
});

const isBefore = (a: Micros, b: Micros) => a < b;

/** Widens the span of a name so that it holds another one. */
export const extendSpan = (spans: Map<string, Span>, name: string, span: Span) =>
  spans.set(name, joinedSpans(spans.get(name) ?? span, span));

export const microsOfOrder = (order: Order): Micros => order.slice(0, microsWidth) as Micros;

/** By observation time; at one time any fixed choice, and of one run the order that knows more of it. */
export function runOrder(last: Micros, run: RunToken, records: Iterable<Span>): Order {
  let known = 0n;
  for (const one of records) known += 1n + BigInt(one.last) - BigInt(one.first);
  return `${last}${run}${String(known).padStart(width, '0')}` as Order;
}

/** The part of an order that is unique to a run. */
export type RunToken = string & { readonly __brand: 'RunToken' };
/** The digest of a run id, equal in all processes. */
export const runToken = (runId: string): RunToken => contentDigest(runId) as RunToken;
export const runOfOrder = (order: Order): string => order.slice(microsWidth, -width);

/** The run that started runs: the beginning of the digest of its id. */
export type ParentRun = string & { readonly __brand: 'ParentRun' };
export const parentRun = (runId: string): ParentRun => contentDigest(runId.toLowerCase()).slice(0, 8) as ParentRun;

/** The length after the minute and its colon. */
const parts = /^(\d\d)(?:\.(\d+))?([Z+-].*)$/;
const minuteLength = 'yyyy-mm-ddThh:mm:'.length;

/** The moment of an RFC 3339 time, cut to the microsecond; a leap second counts as the second after it. */
export function microsOfEventTime(time: string): Micros {
  const [, seconds, fraction = '', zone] = parts.exec(time.slice(minuteLength).toUpperCase()) ?? [];
  const milliseconds = Date.parse(`${time.slice(0, minuteLength).toUpperCase()}00${zone}`);
  if (Number.isNaN(milliseconds)) throw new Fault('event_time', 'not an RFC 3339 time');
  return micros(BigInt(milliseconds) * 1_000n + BigInt(`${seconds}${fraction.slice(0, 6).padEnd(6, '0')}`));
}

/** How long past times can be asked about (`as_of`), in days. */
export const historyDays = 90;

const dayMs = 86_400_000;
/** A caller's clock may run ahead of ours by so much: such a time is now. */
const clockSkewMs = 5_000;

/** A question's moment as ISO time. Throws `validation_error` for the future and before history (C-READ-4). */
export function momentOfHistory(text: string, now: Date, path: string): string {
  const at = Date.parse(text);
  if (at > now.getTime() + clockSkewMs || at < now.getTime() - historyDays * dayMs) {
    throw new Problem('validation_error', {
      errors: [{ path, message: `must be a time within the last ${historyDays} days` }],
    });
  }
  return new Date(Math.min(at, now.getTime())).toISOString();
}

/** One moment at which a scope was forgotten: from `at` on, nothing that it stated up to `order` counts (G-FORGET-1). */
const Forgetting = v.object({
  at: v.string(),
  order: v.custom<Order>((order) => typeof order === 'string'),
});
export type Forgetting = v.InferOutput<typeof Forgetting>;

/** The forgotten scopes of a workspace, by scope id, each with its moments, oldest first. */
export const Forgotten = v.record(v.string(), v.array(Forgetting));
export type Forgotten = Readonly<Record<string, readonly Forgetting[]>>;

export const nothingForgotten: Forgotten = {};

/** What a question about a time has to leave out of a scope; null if the scope was not forgotten by then. */
export const forgettingAt = (forgotten: Forgotten, scope: ScopeId, asOf: string | null): Forgetting | null =>
  forgotten[scope]?.findLast(({ at }) => asOf === null || at <= asOf) ?? null;

/** The order up to which a scope of event times is forgotten: that of a static scope, and the micros of an observed one. */
export const orderUntil = (at: string): Order => `${microsOfIso(at)}9999` as Order;

/** Whether something that was observed last at a time is forgotten, if the scope is forgotten up to an order. */
export const isForgottenObservation = (until: Order | null, last: Micros): boolean =>
  until !== null && `${last}0000` <= until;

/** Whether an order is forgotten, and no complete one of the scope took effect since: that would say again what still holds. */
export const isForgottenOrder = (
  until: Order | null,
  { order, current }: { readonly order: Order; readonly current: Order },
): boolean => until !== null && current <= until && order <= until;

export function withForgetting(
  moments: readonly Forgetting[],
  next: Forgetting,
  { isNew }: { readonly isNew: boolean },
): Forgetting[] {
  const last = moments.at(-1);
  if (last && !isNew) return [...moments.slice(0, -1), { ...last, order: next.order }];
  const reached = new Date(Date.parse(next.at) - historyDays * dayMs).toISOString();
  const first = moments.findLastIndex(({ at }) => at <= reached);
  return [...moments.slice(Math.max(first, 0)), next];
}
