import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { beforeEach, expect, it, vi } from 'vitest';
import { batchGet } from '../../shared/adapters/dynamodb/batch-get.ts';
import { relationDirectory } from '../../shared/adapters/dynamodb/relation-directory.ts';
import { type ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { urnOf } from '../../shared/domain/graph/node.ts';
import { isUnavailable } from '../../shared/runtime/unavailable.ts';

const waits: number[] = [];
vi.mock('node:timers/promises', () => ({
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

it('gives up names of relations that the table does not take, after waits that differ by chance', async () => {
  const workspace = v.parse(WorkspaceId, '6a1f7f0e-3c1c-4d55-9b52-0c9a3d2f8e01');
  const relations = [{ kind: 'relation' as const, connectorId: 'c' as ConnectorId, ref: 'd.s.t' }];
  const attempts = Array.from({ length: 3 }, async () => {
    const directory = relationDirectory(throttled, new LRUCache({ max: 10 }));
    await expect(directory.add(workspace, relations)).rejects.toMatchObject({ code: 'store_throttled' });
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
  let asked = 0;
  const long = {
    client: {
      send: async () => {
        const refs = pages[asked++] ?? [];
        const Items = refs.map((ref) => ({
          u: { S: urnOf({ kind: 'relation', connectorId: 'c' as ConnectorId, ref }) },
        }));
        return { Items, ...(asked < pages.length && { LastEvaluatedKey: { pk: { S: String(asked) } } }) };
      },
    } as unknown as DynamoDBClient,
    name: 'table',
  };
  const directory = relationDirectory(long, new LRUCache({ max: 10 }));
  const found = await directory.named('w1' as WorkspaceId, 'c' as ConnectorId, 't');
  expect(found.map(({ ref }) => ref)).toEqual(['d.s.t', 'e.s.t', 'f.s.t']);
});
