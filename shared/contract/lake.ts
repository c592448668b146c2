import type { RowOrigin } from './collection.ts';

/** The lake of stored events: gzip NDJSON objects under `events/`, partitioned as C-LAKE-2 says. */
export const lakePrefix = 'events/';

/** Objects that a run has written and not yet published: no query reads them. */
export const stagingPrefix = 'staging/';

/** Bodies of batches that a queue message could not hold. */
export const largeBatchPrefix = 'batches/';

export const partitionNames = ['workspace', 'project', 'environment', 'date', 'hour'] as const;

type PartitionFields = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment' | 'received_at'>;

/** `workspace=…/project=…/environment=…/date=YYYY-MM-DD/hour=HH`, by the time of receipt in UTC. */
export function partitionOf({ workspace_id, project_id, environment, received_at }: PartitionFields): string {
  const [date, hour] = [received_at.slice(0, 10), received_at.slice(11, 13)];
  return `workspace=${workspace_id}/project=${project_id}/environment=${environment}/date=${date}/hour=${hour}`;
}

/** An object of the lake: where its rows belong, and the fresh id of the run that wrote it. */
export type LakeObject = { readonly partition: string; readonly runId: string };

export const lakeObjectKey = ({ partition, runId }: LakeObject): string =>
  `${lakePrefix}${partition}/${runId}.ndjson.gz`;

const name = '[A-Za-z0-9_-]{1,64}';
const keyForm = new RegExp(
  `^${lakePrefix}(workspace=${name}/project=${name}/environment=${name}/date=\\d{4}-\\d\\d-\\d\\d/hour=\\d\\d)/([0-9a-f-]{36})\\.ndjson\\.gz$`,
);

/** The object that a key of the bucket names, or null where it is no key of the lake: whoever can write there is not trusted. */
export function lakeObjectOf(key: string): LakeObject | null {
  const [, partition, runId] = keyForm.exec(key) ?? [];
  return partition === undefined || runId === undefined ? null : { partition, runId };
}

/** Where all events of a workspace lie. */
export const workspacePrefix = (workspaceId: string): string => `${lakePrefix}workspace=${workspaceId}/`;

/** The columns of a row, for the Glue table; objects are JSON text to a query. */
export const lakeColumns = {
  id: 'string',
  type: 'string',
  timestamp: 'string',
  anonymous_id: 'string',
  user_id: 'string',
  event: 'string',
  session_id: 'string',
  group_type: 'string',
  group_key: 'string',
  groups: 'map<string,string>',
  properties: 'string',
  context: 'string',
  traits: 'string',
  set_once: 'string',
  sent_at: 'string',
  workspace_id: 'string',
  project_id: 'string',
  received_at: 'string',
  request_id: 'string',
  trusted: 'boolean',
} as const;
