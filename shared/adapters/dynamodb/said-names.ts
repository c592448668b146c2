import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { SaidNames } from '../../domain/naming/ports.ts';
import { type SaidName, saidKey } from '../../domain/naming/said.ts';
import { batchGet } from './batch-get.ts';
import type { Key } from './keys/key.ts';
import { saidNameKey } from './keys/registry-keys.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

const namesKnown = 100_000;
const writesInFlight = 16;

const keyOf = (workspace: WorkspaceId, name: SaidName): Key =>
  saidNameKey(workspace, createHash('sha256').update(saidKey(name)).digest('base64url'));

/** Which names the deliveries of a workspace used, each with the feeds that did, over the table. */
export function saidNames(table: Table): SaidNames {
  const known = new LRUCache<string, number>({ max: namesKnown });
  return {
    keep: async ({ workspace, provider, since }, names) => {
      const keys = new Map(names.map((name) => [saidKey(name), name]));
      const nameIn = (key: string) => `${workspace} ${provider} ${key}`;
      const news = [...keys].filter(([key]) => (known.get(nameIn(key)) ?? Number.POSITIVE_INFINITY) >= since);
      await inParallel(writesInFlight, news, async ([key, name]) => {
        if (known.has(nameIn(key))) return;
        await updateItem(table, keyOf(workspace, name), {
          UpdateExpression: 'SET #namespace = if_not_exists(#namespace, :namespace) ADD providers :provider',
          ExpressionAttributeNames: { '#namespace': 'namespace' },
          ExpressionAttributeValues: {
            ':namespace': name.kind === 'namespace' ? { S: name.namespace } : { NULL: true },
            ':provider': { SS: [provider] },
          },
        });
        known.set(nameIn(key), performance.now());
      });
      return news.length === 0;
    },
  };
}

/** Whether any of the names was ever used; read consistently. */
export async function areSaid(table: Table, workspace: WorkspaceId, names: readonly SaidName[]): Promise<boolean> {
  const keys = new Map(names.map((name) => [saidKey(name), keyOf(workspace, name)]));
  return (await batchGet(table, [...keys.values()], { consistent: true })).length > 0;
}

/** Refuses a commit where one of the names was used by then. */
export const unlessSaid = (table: Table, workspace: WorkspaceId, names: readonly SaidName[]) =>
  [...new Map(names.map((name) => [saidKey(name), keyOf(workspace, name)])).values()].map(({ pk, sk }) => ({
    ConditionCheck: {
      TableName: table.name,
      Key: { pk: { S: pk }, sk: { S: sk } },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
