import type { RowOrigin } from './collection.ts';

/** The lake of stored events: gzip NDJSON objects under `events/`, partitioned as C-LAKE-2 says. */
export const lakePrefix = 'events/';

/** Rows of many such objects in one, Zstandard NDJSON in the same partitions: C-LAKE-5. */
export const compactedPrefix = 'compacted/';

/** Objects that a run has written and not yet published: no query reads them. */
export const stagingPrefix = 'staging/';

/** Bodies of batches that a queue message could not hold. */
export const largeBatchPrefix = 'batches/';

export const partitionNames = ['workspace', 'project', 'environment', 'date', 'hour'] as const;

type PartitionFields = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment' | 'received_at'>;

/** `workspace=…/project=…/environment=…/date=YYYY-MM-DD/hour=HH`, by the time of receipt in UTC. */
export function partitionOf({ workspace_id, project_id, environment, received_at }: PartitionFields): string {
  return `workspace=${workspace_id}/project=${project_id}/environment=${environment}/${hourFolder(received_at)}`;
}

/** The folder of an hour of receipt: those of later hours sort after it. */
export const hourFolder = (received_at: string): string =>
  `date=${received_at.slice(0, 10)}/hour=${received_at.slice(11, 13)}`;

/** An object of the lake: where its rows belong, and the fresh id of the run that wrote it. */
export type LakeObject = { readonly partition: string; readonly runId: string };

export const lakeObjectKey = ({ partition, runId }: LakeObject): string =>
  `${lakePrefix}${partition}/${runId}.ndjson.gz`;

export type CompactedObject = { readonly partition: string; readonly first: string; readonly last: string };

export const compactedObjectKey = ({ partition, first, last }: CompactedObject): string =>
  `${compactedPrefix}${partition}/${first}_${last}.ndjson.zst`;

const name = '[A-Za-z0-9_-]{1,64}';
const run = '[0-9a-f-]{36}';
const partitionForm = `workspace=${name}/project=${name}/environment=${name}/date=\\d{4}-\\d\\d-\\d\\d/hour=\\d\\d`;
const keyForm = new RegExp(`^${lakePrefix}(${partitionForm})/(${run})\\.ndjson\\.gz$`);
const compactedForm = new RegExp(`^${compactedPrefix}(${partitionForm})/(${run})_(${run})\\.ndjson\\.zst$`);

export function lakeObjectOf(key: string): LakeObject | null {
  const [, partition, runId] = keyForm.exec(key) ?? [];
  return partition === undefined || runId === undefined ? null : { partition, runId };
}

export function compactedObjectOf(key: string): CompactedObject | null {
  const [, partition, first, last] = compactedForm.exec(key) ?? [];
  return partition === undefined || first === undefined || last === undefined ? null : { partition, first, last };
}

export type StoredObject = LakeObject | CompactedObject;

export const storedObjectKey = (object: StoredObject): string =>
  'runId' in object ? lakeObjectKey(object) : compactedObjectKey(object);

/** The object of either form that a key names; null if it is no key of the lake. */
export const storedObjectOf = (key: string): StoredObject | null => lakeObjectOf(key) ?? compactedObjectOf(key);

export const workspaceFolder = (workspaceId: string): string => `workspace=${workspaceId}/`;

/** Where the events of a workspace lie that are not compacted yet. */
export const workspacePrefix = (workspaceId: string): string => `${lakePrefix}${workspaceFolder(workspaceId)}`;

export function endOf(partition: string): number {
  const [, date = '', hour = ''] = /\/date=(\d{4}-\d\d-\d\d)\/hour=(\d\d)$/.exec(partition) ?? [];
  return Date.parse(`${date}T${hour}:00:00Z`) + 3_600_000;
}

/** Objects are JSON text. Senders' times stay text: they have any zone and precision, which Athena could not read. */
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
  received_at: 'timestamp',
  request_id: 'string',
  trusted: 'boolean',
} as const;

/** Where the original bytes of deliveries stand, for good. */
export const rawPrefix = 'raw/';
/** Where listings too long for an item stand, and what large documents state: the only objects of the raw bucket that functions delete. */
export const listingsPrefix = 'listings/';
/** Where webhooks and manifests of commits stand; both expire. */
export const webhooksPrefix = 'webhooks/';
export const manifestsPrefix = 'manifests/';
/** The answers of comparisons, which expire. */
export const comparisonsPrefix = 'comparisons/';
/** The lists of names that searches look through, one a workspace; the sweep makes them again. */
export const namesPrefix = 'names/';
/** Up to this size, deflated, a payload waits in the table for its hour's archive: 6 write units instead of 8. */
export const smallPayloadBytes = 2_900;

/** The tables of Iceberg: what the stream has delivered, repeats included, and each event once. */
export const icebergTables = { landing: 'landing', events: 'events' } as const;

/** The database of a tenant's Iceberg tables in the Glue catalogue. */
export const icebergDatabase = (tenant: string): string => `tributary_${tenant.replaceAll('-', '_')}_iceberg`;

export const icebergWorkGroup = (tenant: string): string => `tributary-${tenant}`;

export const icebergPrefix = 'iceberg/';
export const undeliveredPrefix = 'undelivered/';

/** A row of the lake; its environment, a partition there, is a column here. */
export const eventColumns = ['environment', ...Object.keys(lakeColumns)] as const;

/** The day of receipt in UTC: the partition of landed rows. */
export const landingDay = 'received_date';

/** Text columns of a landed row; empty text if the event has none. Firehose drops records that lack a column. */
export const landingColumns: readonly string[] = [...eventColumns, landingDay];

/** What makes an event one event: C-LAKE-1. */
export const eventKeyColumns = ['workspace_id', 'project_id', 'environment', 'id'] as const;
