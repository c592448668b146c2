import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { TrackingPlan } from '../../shared/contract/tracking-plan.ts';
import type { AcceptedBatch, CollectPorts, CollectRequest } from '../../shared/domain/events/accept-batch.ts';
import type { EventCount } from '../../shared/domain/events/event-counts.ts';
import type { Attempt, Attempts } from '../../shared/domain/events/receive/attempts.ts';

export const projectKey = 'phc_testprojectkey000000000000000000000000';
const serverKey = 'sk_server';
export const allowedOrigin = 'http://127.0.0.1:8788';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const workspaceId = v.parse(WorkspaceId, 'ws_acme');
const projectId = v.parse(CollectionProjectId, 'shop');

/** One project with one key, one server key and one origin, and a sink that remembers what it took. */
export function collectionPorts(
  overrides: Partial<CollectPorts> = {},
  plan: TrackingPlan | null = null,
): CollectPorts & {
  accepted: AcceptedBatch[];
  counted: EventCount[];
} {
  const accepted: AcceptedBatch[] = [];
  const counted: EventCount[] = [];
  const key = {
    hash: sha256(projectKey),
    workspaceId,
    projectId,
    environment: 'prod',
    origins: [allowedOrigin],
    rate: null,
    isPlanned: plan !== null,
    suppression: null,
  };
  return {
    accepted,
    counted,
    keys: {
      projectKey: async (hash) => (hash === key.hash ? key : null),
      serverKey: async (hash) => (hash === sha256(serverKey) ? { workspaceId, projectId } : null),
      isKnownOrigin: async (origin) => origin === allowedOrigin,
      trackingPlan: async () => plan,
      suppressed: async () => new Set(),
    },
    rateGuard: async () => null,
    attempts: attemptsInMemory(),
    sink: { status: 'accepted', accept: async (batch) => void accepted.push(batch) },
    count: async (counts) => void counted.push(...counts),
    newId: randomUUID,
    ...overrides,
  };
}

/** As the ledger notes them. */
export function attemptsInMemory(windowMs = 900_000): Attempts {
  const known = new Map<string, Attempt & { readonly begun: string }>();
  return {
    windowMs,
    begin: async (content, attempt) => {
      const before = known.get(content) ?? null;
      known.set(content, { ...attempt, begun: attempt.id });
      return before;
    },
    note: async (content, begun, noted) => {
      const open = known.get(content);
      if (open?.begun === begun) known.set(content, { ...open, ...noted });
    },
  };
}

export function collectRequest(body: unknown, overrides: Partial<CollectRequest> = {}): CollectRequest {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    path: '/collect/v1/batch',
    requestId: 'request-1',
    now: new Date('2026-11-21T12:00:00.000Z'),
    headers: { 'content-type': 'application/json' },
    query: {},
    bytes,
    ...overrides,
  };
}
