import { type CollectionReceipt, collectionRoutes, type RowOrigin } from '../../contract/collection.ts';
import { keysOf } from '../../contract/field-errors.ts';
import type { CaptureResult } from '../../contract/foreign-formats.ts';
import { type FieldError, Problem } from '../../contract/problems.ts';
import type { TrackingPlan } from '../../contract/tracking-plan.ts';
import { readText } from '../base/body.ts';
import type { CountEvents, EventCount } from './event-counts.ts';
import { parsePosthogBatch, readPosthogText } from './posthog/body.ts';
import { readCaptureBatch } from './posthog/capture-v1.ts';
import { type Attempt, type Attempts, contentOf, isRetried } from './receive/attempts.ts';
import { admitSender, type CollectionKeys, requireProjectKey, type SenderProjectKey } from './receive/keys.ts';
import { senderOf } from './receive/sender.ts';
import { isSuppressed } from './receive/suppression.ts';
import { type Batch, fieldNames, parseNativeBatch, type RefuseLine } from './receive/validate-events.ts';
import { readSegmentBatch } from './segment.ts';
import { PlanViolation, planViolations } from './tracking-plan.ts';

export type CollectRequest = {
  /** Without a final slash. */
  readonly path: string;
  readonly requestId: string;
  readonly now: Date;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
};

export type AcceptedBatch = {
  readonly batchId: string;
  readonly origin: RowOrigin;
  readonly lines: readonly string[];
};

export type CollectPorts = {
  readonly keys: CollectionKeys;
  /** Takes the events from the key's bucket; seconds to wait where it is empty, else null. */
  readonly rateGuard: (key: SenderProjectKey, events: number) => Promise<number | null>;
  readonly attempts: Attempts;
  /** Resolves once the batch is durably kept, or, if nothing is kept, at once. May keep a batch twice. */
  readonly sink: {
    readonly status: CollectionReceipt['status'];
    readonly accept: (batch: AcceptedBatch) => Promise<void>;
  };
  /** Counts what was refused after the project was known; what is accepted is counted once it is stored. */
  readonly count: CountEvents;
  /** A fresh UUID: batches are distinguished by it, because a sender may reuse a request id. */
  readonly newId: () => string;
};

/** Accepts a batch of the native route (C-COLLECT-1). Throws the Problem of the first check that fails (C-ERROR-7). */
export function acceptNativeBatch(ports: CollectPorts, request: CollectRequest): Promise<CollectionReceipt> {
  const batch = parseNativeBatch(readText(collectionRoutes.collectBatch.body, request));
  const errors = [{ path: '/query', message: 'must be empty: this request has no parameters' }];
  if (Object.keys(request.query).length > 0) throw new Problem('invalid_batch', { errors });
  return accept(ports, request, batch);
}

/** Accepts a batch of the routes that speak PostHog's wire format (C-POSTHOG-1). */
export function acceptPosthogBatch(ports: CollectPorts, request: CollectRequest): Promise<CollectionReceipt> {
  return accept(ports, request, parsePosthogBatch(readPosthogText(request, request.query)));
}

/** Accepts a batch, or one message, in Segment's format (C-SEGMENT-1). */
export function acceptSegmentBatch(ports: CollectPorts, request: CollectRequest): Promise<CollectionReceipt> {
  return accept(ports, request, readSegmentBatch(request, request.path));
}

/** Accepts the good events of a batch of PostHog's Capture V1, and answers for each (C-POSTHOG-21). */
export async function acceptCaptureBatch(
  ports: CollectPorts,
  request: CollectRequest,
): Promise<CollectionReceipt & { readonly results: ReadonlyMap<string, CaptureResult> }> {
  const batch = readCaptureBatch(request);
  const receipt = await accept(ports, request, batch);
  let received = 0;
  for (const { result } of batch.results.values()) if (result === 'ok') received++;
  return { ...receipt, received, results: batch.results };
}

async function accept(ports: CollectPorts, request: CollectRequest, batch: Batch): Promise<CollectionReceipt> {
  const key = await available(requireProjectKey(ports.keys, batch.projectKey));
  try {
    return await acceptOf(key, ports, request, batch);
  } catch (error) {
    if (error instanceof Problem)
      await ports.count([rejectionOf(key, request, batch, { [error.code]: batch.size }, error.errors)]);
    throw error;
  }
}

function rejectionOf(
  key: SenderProjectKey,
  request: CollectRequest,
  { events }: Batch,
  rejected: EventCount['rejected'],
  errors: readonly FieldError[],
): EventCount {
  const violations = violationsOf(errors);
  const sender = senderOf(events, request.headers);
  const isAllowed = sender.origin === null || key.origins.includes(sender.origin);
  const senders = Object.entries(errors.length > 0 ? violations : rejected).map(([rule, count]) => ({
    ...sender,
    rule,
    events: count,
    last_at: request.now.toISOString(),
    isAllowed,
  }));
  return countOf(key, request, { rejected, violations, senders });
}

const countOf = (
  { workspaceId: workspace_id, projectId: project_id }: SenderProjectKey,
  { now }: CollectRequest,
  counted: Partial<EventCount>,
): EventCount => ({
  workspace_id,
  project_id,
  date: now.toISOString().slice(0, 10),
  accepted: 0,
  repeated: 0,
  rejected: {},
  ...counted,
});

/** What errors say without the index of an event, and without names that a sender chose. */
function violationsOf(errors: readonly FieldError[]): Readonly<Record<string, number>> {
  const texts = errors.map((error) => {
    if (error instanceof PlanViolation) return error.counted;
    const field = keysOf(error.path).find((key) => fieldNames.has(key));
    return `${field === undefined ? '' : `/${field} `}${error.message}`;
  });
  return Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, same]) => [text, same.length]));
}

async function acceptOf(
  key: SenderProjectKey,
  ports: CollectPorts,
  request: CollectRequest,
  batch: Batch,
): Promise<CollectionReceipt> {
  const { origin: sender } = request.headers;
  const authorization = batch.isHeaderSpent ? undefined : request.headers['authorization'];
  const trusted = await available(admitSender(ports.keys, key, { authorization, origin: sender }));
  const retryAfterSeconds = await ports.rateGuard(key, batch.size);
  if (retryAfterSeconds !== null) throw new Problem('rate_limited', { retryAfterSeconds });
  const received_at = request.now.toISOString();
  const plan = key.isPlanned ? await available(ports.keys.trackingPlan(key.hash)) : null;
  const warnings: FieldError[] = [];
  const attempt = ports.newId();
  const lines = batch.lines({
    receivedAt: received_at,
    attempt,
    refuseLine: plan ? refusingLines(plan, warnings) : undefined,
  });
  const origin: RowOrigin = {
    workspace_id: key.workspaceId,
    project_id: key.projectId,
    environment: key.environment,
    received_at,
    request_id: request.requestId,
    trusted,
  };
  const suppressed = key.suppression === null ? null : await available(ports.keys.suppressed(key));
  let suppressions = 0;
  const keep = async (lines: readonly string[]) => {
    const kept = suppressed ? lines.filter((line) => !isSuppressed(suppressed, key.workspaceId, line)) : lines;
    suppressions = lines.length - kept.length;
    if (kept.length > 0) await available(ports.sink.accept({ batchId: ports.newId(), origin, lines: kept }));
  };
  if (batch.unnamed.length > 0) await keepUnnamed(ports, { origin, batch, attempt, lines }, keep);
  else await keep(lines);
  if (suppressions > 0) await ports.count([countOf(key, request, { suppressed: suppressions })]);
  const { refused: rejected = {}, errors = [] } = batch;
  const broken = [...errors, ...warnings];
  if (broken.length > 0) await ports.count([rejectionOf(key, request, batch, rejected, broken)]);
  return { status: ports.sink.status, received: batch.size, received_at, request_id: request.requestId };
}

type Unnamed = {
  readonly origin: RowOrigin;
  readonly batch: Batch;
  readonly attempt: string;
  readonly lines: readonly string[];
};

/**
 * Keeps a batch with events that have no id and no exact time, under the ids of the attempt that it is a retry of.
 * Where attempts cannot be noted it is kept all the same: twice is better than never.
 */
async function keepUnnamed(
  { attempts: { begin, note, windowMs } }: CollectPorts,
  { origin, batch, attempt, lines }: Unnamed,
  keep: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const content = contentOf(origin, batch.unnamed);
  const receivedAt = origin.received_at;
  const at = Date.parse(receivedAt);
  const before = await begin(content, { id: attempt, at, state: 'open' }).catch(() => null);
  const id = before !== null && isRetried(before, at, windowMs) ? before.id : attempt;
  const become = (state: Attempt['state']) => note(content, attempt, { id, state }).catch(() => undefined);
  if (id !== attempt) await become('open');
  try {
    await keep(id === attempt ? lines : batch.lines({ receivedAt, attempt: id }));
  } catch (error) {
    await become('failed');
    throw error;
  }
  await become('stored');
}

/** A plan that warns refuses nothing: what breaks it is counted once the batch is kept. */
function refusingLines(plan: TrackingPlan, warnings: FieldError[]): RefuseLine {
  if (plan.mode === 'block') return (...sent) => planViolations(plan, ...sent);
  return (...sent) => {
    warnings.push(...planViolations(plan, ...sent));
    return [];
  };
}

const retryAfterSeconds = 2;

/** A store that fails is no fault of the sender's: 503, and the same ids may be sent again. */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('delivery_unavailable', { cause, retryAfterSeconds });
  }
}
