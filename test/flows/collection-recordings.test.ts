import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { callCollection } from '../support/collection-call.ts';
import { allowedOrigin, projectKey } from '../support/collection-ports.ts';
import { storeQueued } from '../support/events-worker.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';
import { withoutSent } from '../support/without-sent.ts';

const folder = new URL('../../../shared/posthog/given/', import.meta.url);

const stores = provideStores();

const workspaceId = v.parse(WorkspaceId, 'ws');
const projectId = v.parse(CollectionProjectId, 'shop');

/** The recorded key, for an environment. */
function portsOf(environment: string) {
  const hash = createHash('sha256').update(projectKey).digest('hex');
  const key = {
    hash,
    workspaceId,
    projectId,
    environment,
    origins: [allowedOrigin],
    rate: null,
    isPlanned: false,
    suppression: null,
  };
  const keys = {
    projectKey: async (requested: string) => (requested === hash ? key : null),
    serverKey: async () => null,
    isKnownOrigin: async (origin: string) => origin === allowedOrigin,
    trackingPlan: async () => null,
    suppressed: async () => new Set<string>(),
  };
  return { ...collectPorts(), keys };
}

type Row = Record<string, unknown>;

/** What was sent and when; an id and a time that the service gave are left out. */
function comparable(row: Row, native: Row): Row {
  const { workspace_id, project_id, environment, received_at, request_id, trusted, ...event } = row;
  expect([workspace_id, project_id, trusted]).toEqual([workspaceId, projectId, false]);
  expect([environment, received_at, request_id].map((value) => typeof value)).toEqual(['string', 'string', 'string']);
  if (native['id'] === null) event['id'] = null;
  if (native['timestamp'] === undefined) delete event['timestamp'];
  // The recordings tell the moment, the store keeps the text as it was sent.
  else event['timestamp'] = new Date(String(event['timestamp'])).toISOString();
  return event;
}

describe.skipIf(!existsSync(folder))('recorded PostHog traffic', () => {
  // Recorded before the service took Capture V1, and expected to be unknown.
  const isOlder = (name: string) => name.includes('_v1mode');
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.json') && !isOlder(name))
    : [];
  const recordings = names.map((name, n) => ({
    name,
    // One for each, because the synthetic ones share an id.
    environment: `recording-${n}`,
    ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  }));

  it('is answered as expected, and stored as the native events that it represents', async () => {
    for (const { name, environment, path, method, query, headers, body_base64, expected } of recordings) {
      const body = Buffer.from(body_base64, 'base64');
      const { status } = await callCollection(portsOf(environment), path, { method, query, headers, body });
      expect([name, status]).toEqual([name, expected.status]);
    }
    await storeQueued(storeEventsPorts(), stores.environment.EVENTS_QUEUE_URL);
    const rows: Row[] = (await gathered(storedLines(storeEventsPorts().bucket, workspaceId))).map((line) =>
      JSON.parse(line),
    );
    const stored = Map.groupBy(rows, ({ environment }) => environment);
    for (const { name, environment, expected } of recordings) {
      const found = stored.get(environment) ?? [];
      expect([name, found.length]).toEqual([name, expected.receipt?.received ?? 0]);
      const natives: Row[] = expected.native_events ?? [];
      const sentAt = expected.sent_at ? { sent_at: expected.sent_at } : {};
      expect([name, natives.map((native, i) => withoutSent(comparable(found[i] ?? {}, native)))]).toEqual([
        name,
        natives.map((native) => ({ ...native, ...sentAt })),
      ]);
    }
  });
});
