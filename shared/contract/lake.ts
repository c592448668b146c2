import type { RowOrigin } from './collection.ts';

/** The lake of stored events: gzip NDJSON objects under `events/`, partitioned as decisions 11 says. */
export const lakePrefix = 'events/';

/** Objects that a run has written and not yet published: no query reads them. */
export const stagingPrefix = 'staging/';

/** Bodies of batches that a queue message could not hold. */
export const largeBatchPrefix = 'batches/';

export const partitionNames = ['workspace', 'project', 'environment', 'date', 'hour'] as const;

type PartitionSource = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment' | 'received_at'>;

/** `workspace=…/project=…/environment=…/date=YYYY-MM-DD/hour=HH`, by the time of receipt in UTC. */
export function partitionOf({ workspace_id, project_id, environment, received_at }: PartitionSource): string {
  const [date, hour] = [received_at.slice(0, 10), received_at.slice(11, 13)];
  return `workspace=${workspace_id}/project=${project_id}/environment=${environment}/date=${date}/hour=${hour}`;
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
