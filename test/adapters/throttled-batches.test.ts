import {
  type DynamoDBClient,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newKnownRelations, relationDirectory } from '../../shared/adapters/dynamodb/names/relation-directory.ts';
import { batchGet } from '../../shared/adapters/dynamodb/requests/items.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { transact, transactedUpdate } from '../../shared/adapters/dynamodb/requests/transact.ts';
import { updateItem } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import { type ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { isUnavailable } from '../../shared/runtime/problem-reply.ts';

const waits: number[] = [];
vi.mock('node:timers/promises', async (importOriginal) => ({
  ...(await importOriginal<typeof import('node:timers/promises')>()),
  setTimeout: async (milliseconds: number) => {
    waits.push(milliseconds);
  },
}));
beforeEach(() => {
  waits.length = 0;
});

type Request = { readonly input: { readonly RequestItems: Readonly<Record<string, unknown>> } };

/** A table that leaves everything of a batch undone. */
const throttled = {
  client: {
    send: async ({ input: { RequestItems } }: Request) => ({
      UnprocessedKeys: RequestItems,
      UnprocessedItems: RequestItems,
    }),
  } as unknown as DynamoDBClient,
  name: 'table',
};

it('gives up a batch read that makes no progress, as a store that is not available', async () => {
  const read = batchGet(throttled, [{ pk: 'a', sk: 'b' }]);
  const error = await read.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'store_throttled' });
  expect(isUnavailable(error)).toBe(true);
  expect(waits.length).toBeLessThan(10);
});

const canceled = (Code: string) =>
  new TransactionCanceledException({ message: 'refused', $metadata: {}, CancellationReasons: [{ Code }] });
const refusals = [
  ['an exceeded throughput', new ProvisionedThroughputExceededException({ message: 'refused', $metadata: {} })],
  ['a throttled request', new ThrottlingException({ message: 'refused', $metadata: {} })],
  ['a canceled transaction', canceled('ThrottlingError')],
  ['a transaction beyond the throughput', canceled('ProvisionedThroughputExceeded')],
] as const;
const writes = {
  'an update': (table: Table) => updateItem(table, { pk: 'a', sk: 'b' }, { UpdateExpression: 'SET x = :x' }),
  'a transaction': (table: Table) =>
    transact(table, [transactedUpdate(table, { pk: 'a', sk: 'b' }, { UpdateExpression: 'SET x = :x' })]),
};

describe.each(Object.entries(writes))('%s', (_, write) => {
  it.each(refusals)('is sent again after %s, each time after a wait, until the table takes it', async (_, refusal) => {
    let sent = 0;
    const send = async () => {
      if (++sent < 4) throw refusal;
      return {};
    };
    await write({ client: { send } as unknown as DynamoDBClient, name: 'table' });
    expect([sent, waits.length]).toEqual([4, 3]);
  });

  it.each(refusals)('is given up after a bound of %s, as a store that is not available', async (_, refusal) => {
    const send = () => Promise.reject(refusal);
    const error = await write({ client: { send } as unknown as DynamoDBClient, name: 'table' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBe(refusal);
    expect(waits.length).toBeLessThan(10);
    expect(isUnavailable(error)).toBe(true);
  });
});

it('sends a transaction no more that a condition refused, whatever else of it was throttled', async () => {
  let sent = 0;
  const CancellationReasons = [{ Code: 'ThrottlingError' }, { Code: 'ConditionalCheckFailed' }];
  const refused = new TransactionCanceledException({ message: 'refused', $metadata: {}, CancellationReasons });
  const send = async () => {
    sent++;
    throw refused;
  };
  expect(await writes['a transaction']({ client: { send } as unknown as DynamoDBClient, name: 'table' })).toBe(false);
  expect(sent).toBe(1);
});

it('gives up names of relations that the table does not take, after waits that differ by chance', async () => {
  const workspace = v.parse(WorkspaceId, '6a1f7f0e-3c1c-4d55-9b52-0c9a3d2f8e01');
  const relations = [{ kind: 'relation' as const, connectorId: 'c' as ConnectorId, ref: 'd.s.t' }];
  const attempts = Array.from({ length: 3 }, async () => {
    const directory = relationDirectory(throttled, newKnownRelations());
    await expect(directory.add(graphOf(workspace, 0), relations)).rejects.toMatchObject({ code: 'store_throttled' });
  });
  await Promise.all(attempts);
  expect(new Set(waits).size).toBe(waits.length);
});

it('goes on where each answer leaves less to do', async () => {
  let requests = 0;
  const slow = {
    client: {
      send: async ({ input: { RequestItems } }: Request) => {
        requests++;
        const { Keys } = RequestItems['table'] as { Keys: Record<string, unknown>[] };
        const [first, ...rest] = Keys;
        return {
          Responses: { table: [first] },
          UnprocessedKeys: rest.length > 0 ? { table: { Keys: rest } } : {},
        };
      },
    } as unknown as DynamoDBClient,
    name: 'table',
  };
  const keys = Array.from({ length: 30 }, (_, i) => ({ pk: 'p', sk: String(i) }));
  expect(await batchGet(slow, keys)).toHaveLength(30);
  expect(requests).toBe(30);
});

it('knows all relations of a name, however many answers of the store they fill', async () => {
  const pages = [['d.s.t', 'e.s.t'], [], ['f.s.t']];
  let requested = 0;
  const long = {
    client: {
      send: async () => {
        const refs = pages[requested++] ?? [];
        const Items = refs.map((ref) => ({
          u: { S: urnOf({ kind: 'relation', connectorId: 'c' as ConnectorId, ref }) },
        }));
        return { Items, ...(requested < pages.length && { LastEvaluatedKey: { pk: { S: String(requested) } } }) };
      },
    } as unknown as DynamoDBClient,
    name: 'table',
  };
  const directory = relationDirectory(long, newKnownRelations());
  const found = await directory.named(graphOf('w1' as WorkspaceId, 0), 'c' as ConnectorId, 't');
  expect(found.map(({ ref }) => ref)).toEqual(['d.s.t', 'e.s.t', 'f.s.t']);
});
