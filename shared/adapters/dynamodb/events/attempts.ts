import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { Attempts } from '../../../domain/events/receive/attempts.ts';
import { eventAttemptKey } from '../keys/registry-keys.ts';
import { attributes } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { attempted } from '../requests/transact.ts';
import { changing } from '../requests/update-item.ts';

const AttemptItem = v.object({ id: v.string(), at: v.number(), state: v.picklist(['open', 'stored', 'failed']) });

/** The attempts of senders without ids, each two writes of one unit. */
export function eventAttempts({ client, name: TableName }: Table, windowMs: number): Attempts {
  return {
    windowMs,
    begin: async (content, { id, at, state }) => {
      const ttl = Math.ceil((at + windowMs) / 1_000);
      const change = changing({ set: attributes({ begun: id, id, at, state, ttl }) });
      const Key = marshall(eventAttemptKey(content));
      const { Attributes } = await client.send(
        new UpdateItemCommand({ TableName, Key, ...change, ReturnValues: 'ALL_OLD' }),
      );
      return Attributes ? v.parse(AttemptItem, unmarshall(Attributes)) : null;
    },
    note: async (content, begun, { id, state }) => {
      const where = [{ name: 'begun', is: '=', value: { S: begun } }] as const;
      const change = changing({ set: attributes({ id, state }), where });
      const Key = marshall(eventAttemptKey(content));
      await attempted(client.send(new UpdateItemCommand({ TableName, Key, ...change })));
    },
  };
}
