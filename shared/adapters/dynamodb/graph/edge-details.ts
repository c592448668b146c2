import { type AttributeValue, ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type NodeId, nodeIdLength, type ScopeId } from '../../../domain/graph/ids.ts';
import type { DetailStore, EdgeDetail } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet } from '../batch-get.ts';
import { edgeDetailKey } from '../keys.ts';
import { pack, unpack } from '../packed.ts';
import type { Meter, Table } from '../table.ts';

const writesInFlight = 24;
/** An item takes 400 KB, names and keys included. */
const largestDetail = 380_000;

/** Edge details over the table: one item an (edge, scope), the newest order's. */
export function detailStore(table: Table, meter?: Meter): DetailStore {
  return {
    put: async (workspace, details) => {
      await inParallel(writesInFlight, details, async ({ from, to, scope, order, detail }) => {
        const key = edgeDetailKey(workspace, from, to, scope);
        await putNewest(table, key, order, packDetail(detail), meter);
      });
    },
    get: async (workspace, edges) => {
      const keys = edges.map(({ from, to, scope }) => edgeDetailKey(workspace, from, to, scope));
      const items = await batchGet(table, keys, meter ? { meter } : {});
      return items.map((item) => {
        const [to, from, scope] = splitSortKey(item['sk']?.S ?? '');
        return { from, to, scope, detail: unpack(item['m']) as EdgeDetail };
      });
    },
  };
}

const splitSortKey = (sk: string): [NodeId, NodeId, ScopeId] => [
  sk.slice(0, nodeIdLength) as NodeId,
  sk.slice(nodeIdLength + 1, 2 * nodeIdLength + 1) as NodeId,
  sk.slice(2 * nodeIdLength + 2) as ScopeId,
];

function packDetail(detail: EdgeDetail): AttributeValue {
  const packed = pack(detail);
  if ((packed.B?.length ?? 0) <= largestDetail) return packed;
  return pack({ ...detail, columns: [], unresolved: [{ outputColumn: null, reason: 'column_map_too_large' }] });
}

async function putNewest(
  table: Table,
  key: { readonly pk: string; readonly sk: string },
  order: string,
  detail: AttributeValue,
  meter: Meter | undefined,
): Promise<void> {
  try {
    const answer = await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: { pk: { S: key.pk }, sk: { S: key.sk } },
        UpdateExpression: 'SET g = :o, m = :m',
        ConditionExpression: 'attribute_not_exists(g) OR g < :o',
        ExpressionAttributeValues: { ':o': { S: order }, ':m': detail },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    if (meter) {
      meter.requests++;
      meter.writeUnits += answer.ConsumedCapacity?.CapacityUnits ?? 0;
    }
  } catch (error) {
    // Refused: a newer order has written, or this one already did.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
