import { LRUCache } from 'lru-cache';
import type { TrackingPlan } from '../../../contract/tracking-plan.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { CollectionKeys, SenderProjectKey, SenderServerKey } from '../../../domain/events/receive/keys.ts';
import type { SuppressedIds } from '../../../domain/events/receive/suppression.ts';
import { AllowedOrigin } from '../../../domain/workspaces/access/records.ts';
import { allowedOriginList } from '../keys/registry-keys.ts';
import { inPartition } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { queryRecords } from './registry-collection.ts';
import { collecting, secretReader, trackingPlanReader } from './registry-readers.ts';

/** Half of the minute that a revocation may take, to allow for a slow read. */
const cachedMs = 30_000;
const unknownCachedMs = 5_000;
const entriesCached = 10_000;
const plansCached = 50;
const listsCached = 20;

export function collectionKeys(table: Table): CollectionKeys {
  const reader = { table, records: collecting(table), secretOf: secretReader(table) };
  return {
    projectKey: remembered((hash) => readProjectKey(reader, hash)),
    serverKey: remembered((hash) => readServerKey(reader, hash)),
    isKnownOrigin: remembered((origin) => readKnownOrigin(reader, origin)),
    trackingPlan: remembered((hash) => readTrackingPlan(reader, hash), plansCached),
    suppressed: suppressedIds(reader),
  };
}

type KeyReader = {
  readonly table: Table;
  readonly records: ReturnType<typeof collecting>;
  readonly secretOf: ReturnType<typeof secretReader>;
};

/** A question that is asked by many at once is read once; a failure is not remembered. */
function remembered<Answer>(
  read: (question: string) => Promise<Answer>,
  max = entriesCached,
): (question: string) => Promise<Answer> {
  const cache = new LRUCache<string, { readonly answer: Answer }>({
    max,
    ttl: cachedMs,
    fetchMethod: async (question, _stale, { options }) => {
      const answer = await read(question);
      if (!answer) options.ttl = unknownCachedMs;
      return { answer };
    },
  });
  return async (question) => (await cache.forceFetch(question)).answer;
}

async function readProjectKey({ records, secretOf }: KeyReader, hash: string): Promise<SenderProjectKey | null> {
  const secret = await secretOf(hash);
  if (secret?.kind !== 'project_key' || secret.project_id === null) return null;
  const { workspace_id, project_id, id } = secret;
  const [key, project, suppression] = await Promise.all([
    records.projectKeys.find({ workspace_id, project_id, id }),
    records.collectionProjects.find({ workspace_id, id: project_id }),
    records.suppressionCounts.find({ workspace_id }),
  ]);
  if (key?.record.revoked_at !== null || project?.record.revoked_at !== null) return null;
  // A name that was revoked may be used again: its record is then another key's.
  if (key.record.hash !== hash) return null;
  const { environment, rate } = key.record;
  return {
    hash,
    workspaceId: workspace_id,
    projectId: project_id,
    environment,
    origins: project.record.origins,
    rate: rate && { perSecond: rate.per_second, burst: rate.burst },
    isPlanned: project.record.tracking_plan !== null && project.record.tracking_plan !== 'off',
    suppression: suppression?.record.persons ? suppression.revision : null,
  };
}

/** Read once for each revision: a list of ten thousand persons has megabytes. */
function suppressedIds({ records }: KeyReader): CollectionKeys['suppressed'] {
  const cache = new LRUCache<string, SuppressedIds, SenderProjectKey>({
    max: listsCached,
    fetchMethod: async (_, __, { context: { workspaceId } }) => {
      const persons = await records.suppressions.list(workspaceId);
      return new Set(persons.flatMap(({ id, linked }) => [id, ...linked]));
    },
  });
  return (key) => cache.forceFetch(`${key.workspaceId} ${key.suppression}`, { context: key });
}

async function readTrackingPlan({ table, secretOf }: KeyReader, hash: string): Promise<TrackingPlan | null> {
  const secret = await secretOf(hash);
  if (secret === null || secret.project_id === null) return null;
  return trackingPlanReader(table)({ workspace_id: secret.workspace_id, project_id: secret.project_id });
}

async function readServerKey({ records, secretOf }: KeyReader, hash: string): Promise<SenderServerKey | null> {
  const secret = await secretOf(hash);
  if (secret?.kind !== 'server_key' || secret.project_id === null) return null;
  const { workspace_id, project_id, id } = secret;
  const key = await records.serverKeys.find({ workspace_id, project_id, id });
  return key?.record.revoked_at === null && key.record.hash === hash
    ? { workspaceId: workspace_id, projectId: project_id }
    : null;
}

const projectsInFlight = 8;

async function readKnownOrigin({ table, records }: KeyReader, origin: string): Promise<boolean> {
  const allowed = await queryRecords(table, AllowedOrigin, inPartition(allowedOriginList(origin)));
  const projects = await inParallel(projectsInFlight, allowed, ({ workspace_id, project_id }) =>
    records.collectionProjects.find({ workspace_id, id: project_id }),
  );
  return projects.some((found) => found?.record.revoked_at === null && found.record.origins.includes(origin));
}
