import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { UserId, WorkspaceId } from '../../shared/contract/ids.ts';
import { accessKeysOf } from '../../shared/contract/stack-outputs.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createToken } from '../../shared/domain/workspaces/access/tokens.ts';
import type { ServiceCredentials } from '../../test/support/service-process.ts';
import { layeredJobs, loadEvents } from '../support/openlineage-load.ts';
import { randomFloats } from '../support/random-floats.ts';
import { sampleBatch } from '../support/sample-batch.ts';
import { anHourLater, manifestOf, newProject, type Project } from './projects.ts';

/** The team of the issue; what a run takes of it is `scaled`. */
const whole = { dbtProjects: 50, openLineageAMinute: 5_000, eventsADay: 20_000_000, readers: 200 };

export type Scale = ReturnType<typeof scaled>;

/** What runs within some minutes: an hour takes every project and reader, and one in a thousand of the events. */
export function scaled(minutes: number) {
  const share = minutes / 60;
  const one_in = Math.round(1_000 / share);
  return {
    one_in,
    dbt_projects: Math.max(2, Math.round(whole.dbtProjects * share)),
    openlineage_jobs: Math.max(10, Math.round((whole.openLineageAMinute * 60) / one_in / 2)),
    events_an_hour: Math.round(whole.eventsADay / 24 / one_in),
    readers: Math.max(8, Math.round(whole.readers * share)),
  };
}

type Answer = { readonly status: number; readonly body: unknown; readonly ms: number };
type Call = (
  method: 'GET' | 'POST',
  path: string,
  options?: { readonly token?: string; readonly body?: object; readonly key?: string; readonly watches?: true },
) => Promise<Answer>;

export type Team = {
  readonly scale: Scale;
  readonly workspace: string;
  readonly connector: { readonly id: string; readonly namespace: string };
  readonly call: Call;
  readonly readerTokens: readonly string[];
  readonly jobs: ReturnType<typeof layeredJobs>;
  /** As the last hour sent them, and as the one before did: while an hour's snapshots are worked, a reader may see either. */
  readonly projects: () => readonly { readonly before: Project; readonly now: Project }[];
  /** Ids of analytics events that were accepted. */
  readonly eventIds: Set<string>;
  readonly sent: {
    snapshots: number;
    changed: number;
    singly: number;
    inBatches: number;
    batches: number;
    repeated: number;
    collected: number;
    requests: number;
    retried: number;
  };
  /** Sends what an hour brings, in one burst. */
  readonly sendHour: (hour: number) => Promise<void>;
};

const jobsSingly = 0.2;
const repeats = 0.05;

export async function hire(credentials: ServiceCredentials, scale: Scale): Promise<Team> {
  const { acme } = credentials.workspaces;
  const connector = acme?.connectors['warehouse'];
  if (!acme || !connector) throw new Error('the seed has another form');
  const random = randomFloats(45);
  const sent = {
    snapshots: 0,
    changed: 0,
    singly: 0,
    inBatches: 0,
    batches: 0,
    repeated: 0,
    collected: 0,
    requests: 0,
    retried: 0,
  };
  const names = Array.from({ length: scale.dbt_projects }, (_, n) => `team_${String(n).padStart(2, '0')}`);
  const [sender = '', ...readerTokens] = await tokens(credentials, acme.id, names, scale.readers);
  let projects = names.map((name) => newProject(name, random)).map((now) => ({ before: now, now }));
  const jobs = layeredJobs(scale.openlineage_jobs);
  const eventIds = new Set<string>();
  const place = new URLSearchParams({ workspace_id: acme.id, connector_id: connector.id });

  const call: Call = async (method, path, { token = sender, body, key, watches } = {}) => {
    for (;;) {
      // What only the bench wants to know costs the team nothing.
      if (!watches) sent.requests++;
      const began = performance.now();
      const response = await fetch(credentials.base_url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const ms = performance.now() - began;
      if (response.status !== 429 && response.status !== 503)
        return { status: response.status, body: text === '' ? null : JSON.parse(text), ms };
      sent.retried++;
      await after(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  };

  /** What is sent again has the same key or ids, as a client does whose answer was lost. */
  const send = async (
    path: string,
    body: object,
    more: { readonly key?: string; readonly token?: string } = {},
  ): Promise<void> => {
    const times = random() < repeats ? 2 : 1;
    sent.repeated += times - 1;
    for (let time = 0; time < times; time++) {
      const { status, body: answer } = await call('POST', path, { body, ...more });
      if (status !== 202 && status !== 200)
        throw new Error(`${path} responded with ${status}: ${JSON.stringify(answer)}`);
    }
  };

  const sendSnapshots = (hour: number) =>
    inParallel(4, projects, async ({ before, now }) => {
      sent.snapshots++;
      if (before !== now || hour === 0) sent.changed++;
      const body = {
        workspace_id: acme.id,
        connector_id: connector.id,
        project_id: now.name,
        completeness: 'complete',
        source_event_key: `${now.name} in hour ${hour}`,
        manifest: manifestOf(now, new Date().toISOString()),
      };
      await send('/v1/lineage/dbt/manifest', body);
    });

  const sendRuns = async (hour: number) => {
    const times = { START: new Date(), COMPLETE: new Date() };
    const all = [...loadEvents(jobs, 'w1', { namespace: connector.namespaces[0] ?? '', round: hour })].map((event) => ({
      ...event,
      eventTime: times[(event as { eventType: 'START' | 'COMPLETE' }).eventType].toISOString(),
    }));
    const single = all.slice(0, Math.ceil(all.length * jobsSingly));
    const rest = all.slice(single.length);
    const batches = Array.from({ length: Math.ceil(rest.length / 100) }, (_, n) => rest.slice(n * 100, (n + 1) * 100));
    sent.singly += single.length;
    sent.inBatches += rest.length;
    sent.batches += batches.length;
    await inParallel(6, single, (event) => send(`/api/v1/lineage?${place}`, event, { key: randomUUID() }));
    await inParallel(2, batches, (events) => send(`/api/v1/lineage/batch?${place}`, events, { key: randomUUID() }));
  };

  const sendEvents = async () => {
    const sizes = Array.from({ length: Math.ceil(scale.events_an_hour / 100) }, (_, n) =>
      Math.min(100, scale.events_an_hour - n * 100),
    );
    await inParallel(2, sizes, async (size) => {
      const batch = sampleBatch(acme.collection['project_key'] ?? '', size);
      for (const { id } of batch.events) eventIds.add(id);
      sent.collected += size;
      await send('/collect/v1/batch', batch, { token: acme.collection['server_key'] ?? '' });
    });
  };

  return {
    scale,
    workspace: acme.id,
    connector: { id: connector.id, namespace: connector.namespaces[0] ?? '' },
    call,
    readerTokens,
    jobs,
    projects: () => projects,
    eventIds,
    sent,
    sendHour: async (hour) => {
      projects = projects.map(({ now }) => ({ before: now, now: hour === 0 ? now : anHourLater(now, random) }));
      await Promise.all([sendSnapshots(hour), sendRuns(hour), sendEvents()]);
    },
  };
}

/** Links the projects, and makes a token for who sends and one for each reader: sessions end within the week. */
async function tokens(
  { local }: ServiceCredentials,
  workspace: string,
  projects: readonly string[],
  readers: number,
): Promise<readonly string[]> {
  const client = new DynamoDBClient({
    region: local.region,
    endpoint: local.endpoints.dynamodb,
    credentials: accessKeysOf(local),
  });
  const stored = registry({ client, name: local.table });
  const operator = { registry: stored, clock: systemClock, randomBytes, actor: 'week' };
  const workspace_id = v.parse(WorkspaceId, workspace);
  try {
    for (const project of projects) await linkProject(operator, workspace_id, project);
    return await inParallel(4, Array.from({ length: readers + 1 }), async (_, index = 0) => {
      const { token } = await createToken(operator, {
        workspace_id,
        user_id: v.parse(UserId, index === 0 ? 'acme-admin' : 'acme-viewer'),
        name: `week ${index}`,
        scopes: index === 0 ? ['read', 'write', 'admin'] : ['read'],
        client_kind: 'service',
        expires_in_days: 30,
      });
      return token;
    });
  } finally {
    client.destroy();
  }
}
