import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { RecountStore } from '../../domain/policy/ports.ts';
import { Recount } from '../../domain/policy/recount.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { dueItems, dueUntil } from './due-items.ts';
import { recountDueKey, recountIndex, recountKey } from './keys/policy-keys.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Recounts over the table: one item a connector, in the due index until it is done. */
export function recountStore(table: Table): RecountStore {
  return {
    get: async (workspace, connector) => {
      const [item] = await batchGet(table, [recountKey(workspace, connector)], { consistent: true });
      return item ? recountOf(item) : null;
    },
    advance: (from, to, dueAt) => advance(table, from, to, dueAt),
    due: async (now, limit) => (await dueItems(table, recountIndex, now, limit)).map(recountOf),
    reschedule: async (recount, now, dueAt) => {
      const { gsi2sk } = recountDueKey(recount.workspace_id, recount.connector_id, dueAt);
      const { refused } = await updateItem(table, recountKey(recount.workspace_id, recount.connector_id), {
        UpdateExpression: 'SET gsi2sk = :at',
        ConditionExpression: 'revision = :revision AND step = :step AND gsi2sk <= :now',
        ExpressionAttributeValues: attributes({
          ':at': gsi2sk,
          ':revision': recount.revision,
          ':step': recount.step,
          ':now': dueUntil(now),
        }),
      });
      return refused === null;
    },
  };
}

export const recountItem = (recount: Recount, dueAt: string | null): Item =>
  marshall({
    ...recountKey(recount.workspace_id, recount.connector_id),
    ...recount,
    ...(dueAt !== null && recountDueKey(recount.workspace_id, recount.connector_id, dueAt)),
  });

export const recountOf = (item: Item): Recount => v.parse(Recount, unmarshall(item));

async function advance(table: Table, from: Recount, to: Recount, dueAt: string | null): Promise<boolean> {
  const { workspace_id, connector_id, ...progress } = to;
  const place = dueAt === null ? {} : recountDueKey(workspace_id, connector_id, dueAt);
  const values = Object.entries({ ...progress, ...place });
  const { refused } = await updateItem(table, recountKey(workspace_id, connector_id), {
    UpdateExpression: `SET ${values.map((_, i) => `#n${i} = :v${i}`).join(', ')}${dueAt === null ? ' REMOVE gsi2pk, gsi2sk' : ''}`,
    ConditionExpression: 'revision = :revision AND step = :step',
    ExpressionAttributeNames: Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
    ExpressionAttributeValues: attributes({
      ...Object.fromEntries(values.map(([, value], i) => [`:v${i}`, value])),
      ':revision': from.revision,
      ':step': from.step,
    }),
  });
  return refused === null;
}
