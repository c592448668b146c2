import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ScopeId } from '../../../domain/graph/ids.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { runKey } from '../keys.ts';
import { pack, unpack } from '../packed.ts';
import type { Meter, Table } from '../table.ts';

/** Contributions of a run's events stand beside each other, each under its content digest: adding one twice changes nothing. */
const prefix = 'e';

/** What is known of the runs of jobs; `Contribution` is what one event says. */
export type RunStore<Contribution> = {
  /** Adds what events of one run say, and answers with all that is known of it. */
  readonly add: (
    workspace: WorkspaceId,
    job: ScopeId,
    run: {
      readonly runId: string;
      readonly contributions: ReadonlyMap<string, Contribution>;
      /** Unix seconds after which the run is forgotten. */
      readonly expiresAt: number;
    },
  ) => Promise<Map<string, Contribution>>;
  /** All that is known of a run, read consistently. */
  readonly read: (workspace: WorkspaceId, job: ScopeId, runId: string) => Promise<Map<string, Contribution>>;
  /** All runs of a job but one: dear, and only needed where an observation is taken back. */
  readonly others: (workspace: WorkspaceId, job: ScopeId, runId: string) => Promise<Contribution[][]>;
};

export function runStore<Contribution>(table: Table, meter?: Meter): RunStore<Contribution> {
  return {
    add: async (workspace, job, { runId, contributions, expiresAt }) => {
      const key = runKey(workspace, job, runId);
      const entries = [...contributions];
      const answer = await table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: { pk: { S: key.pk }, sk: { S: key.sk } },
          UpdateExpression: `SET #ttl = :ttl, ${entries.map((_, i) => `#e${i} = :e${i}`).join(', ')}`,
          ExpressionAttributeNames: {
            '#ttl': 'ttl',
            ...Object.fromEntries(entries.map(([digest], i) => [`#e${i}`, prefix + digest])),
          },
          ExpressionAttributeValues: {
            ':ttl': { N: String(expiresAt) },
            ...Object.fromEntries(entries.map(([, one], i) => [`:e${i}`, pack(one)])),
          },
          ReturnValues: 'ALL_NEW',
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      if (meter) {
        meter.requests++;
        meter.writeUnits += answer.ConsumedCapacity?.CapacityUnits ?? 0;
      }
      return contributionsOf(answer.Attributes ?? {});
    },
    read: async (workspace, job, runId) => {
      const items = await batchGet(table, [runKey(workspace, job, runId)], {
        consistent: true,
        ...(meter && { meter }),
      });
      return contributionsOf(items[0] ?? {});
    },
    others: (workspace, job, runId) => otherRuns(table, workspace, job, runId),
  };
}

function contributionsOf<Contribution>(item: Item): Map<string, Contribution> {
  const found = new Map<string, Contribution>();
  for (const name in item) {
    if (name.length > prefix.length && name.startsWith(prefix)) {
      found.set(name.slice(prefix.length), unpack(item[name]) as Contribution);
    }
  }
  return found;
}

async function otherRuns<Contribution>(
  table: Table,
  workspace: WorkspaceId,
  job: ScopeId,
  runId: string,
): Promise<Contribution[][]> {
  const key = runKey(workspace, job, runId);
  const found: Contribution[][] = [];
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :runs)',
        ExpressionAttributeValues: { ':pk': { S: key.pk }, ':runs': { S: 'R#' } },
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of answer.Items ?? []) {
      if (item['sk']?.S !== key.sk) found.push([...contributionsOf<Contribution>(item).values()]);
    }
    start = answer.LastEvaluatedKey;
  } while (start);
  return found;
}
