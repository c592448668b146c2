import { setTimeout as delay } from 'node:timers/promises';
import { BatchWriteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { RelationDirectory, RelationEntry } from '../../domain/graph/ports.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { connectorGraphKey, type Key, relationKey } from './keys.ts';
import type { Meter, Table } from './table.ts';

export type KnownRelations = LRUCache<string, true>;
export const newKnownRelations = (): KnownRelations => new LRUCache({ max: 100_000 });

const itemsARequest = 25;
const requestsInFlight = 8;

/** The directory over the table; `known` spares a process writing what it has written before. */
export function relationDirectory(table: Table, known: KnownRelations, meter?: Meter): RelationDirectory {
  return {
    add: async (workspace, relations) => {
      const fresh = new Map<string, Key & { ref?: string }>();
      for (const { connectorId, ref, table: name } of relations) {
        const entry = relationKey(workspace, connectorId, name.toLowerCase(), ref);
        const connector = connectorGraphKey(workspace, connectorId);
        if (!known.has(`${entry.pk} ${entry.sk}`)) fresh.set(`${entry.pk} ${entry.sk}`, { ...entry, ref });
        if (!known.has(connector.pk)) fresh.set(connector.pk, connector);
      }
      await writeAll(table, [...fresh.values()], meter);
      for (const key of fresh.keys()) known.set(key, true);
    },
    named: (workspace, connector, name) => named(table, workspace, connector, name),
    any: async (workspace, connector) => {
      const { pk } = connectorGraphKey(workspace, connector);
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: pk } },
          Limit: 1,
        }),
      );
      return (answer.Count ?? 0) > 0;
    },
  };
}

async function named(
  table: Table,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
  name: string,
): Promise<RelationEntry[]> {
  const { pk } = relationKey(workspace, connectorId, name.toLowerCase(), '');
  const answer = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    }),
  );
  return (answer.Items ?? []).map((item) => ({ connectorId, ref: item['ref']?.S ?? '', table: name }));
}

async function writeAll(table: Table, rows: readonly (Key & { ref?: string })[], meter?: Meter): Promise<void> {
  const chunks: (typeof rows)[] = [];
  for (let i = 0; i < rows.length; i += itemsARequest) chunks.push(rows.slice(i, i + itemsARequest));
  await inParallel(requestsInFlight, chunks, async (chunk) => {
    let request = chunk.map(({ pk, sk, ref }) => ({
      PutRequest: { Item: { pk: { S: pk }, sk: { S: sk }, ...(ref !== undefined && { ref: { S: ref } }) } },
    }));
    for (let attempt = 0; request.length > 0; attempt++) {
      if (attempt > 0) await delay(Math.min(1_000, 25 * 2 ** attempt));
      const answer = await table.client.send(
        new BatchWriteItemCommand({ RequestItems: { [table.name]: request }, ReturnConsumedCapacity: 'TOTAL' }),
      );
      if (meter) {
        meter.requests++;
        for (const used of answer.ConsumedCapacity ?? []) meter.writeUnits += used.CapacityUnits ?? 0;
      }
      request = (answer.UnprocessedItems?.[table.name] ?? []) as typeof request;
    }
  });
}
