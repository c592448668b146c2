import { marshall } from '@aws-sdk/util-dynamodb';
import type { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { sha256 } from '../../../domain/base/digest.ts';
import type { UnownedNames, UsedNamespace } from '../../../domain/lineage/gaps/ports.ts';
import { type UsedName, type UsedNames, usedNameKey } from '../../../domain/lineage/generations/graph-record.ts';
import { type Key, keyName, usedNameItemKey } from '../keys/registry-keys.ts';
import { batchGet, keyAttributes, putItem } from '../requests/items.ts';
import { inPartition, queryAll, queryOnce } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, updateItem } from '../requests/update-item.ts';

const namesKnown = 100_000;
const writesInFlight = 16;

const keyOf = (workspace: WorkspaceId, name: UsedName): Key => usedNameItemKey(workspace, digestOf(usedNameKey(name)));
const digestOf = (text: string): string => sha256(text).toString('base64url');

export function usedNameStore(table: Table): UsedNames {
  const known = lruCache<string, number>(namesKnown);
  return {
    keep: async ({ workspace, provider, since }, names) => {
      const keys = new Map(names.map((name) => [usedNameKey(name), name]));
      const nameIn = (key: string) => `${workspace} ${provider} ${key}`;
      const news = [...keys].filter(([key]) => (known.get(nameIn(key)) ?? Number.POSITIVE_INFINITY) >= since);
      await inParallel(writesInFlight, news, async ([key, name]) => {
        if (known.has(nameIn(key))) return;
        const namespace = name.kind === 'namespace' ? { S: name.namespace } : { NULL: true as const };
        const change = changing({ setIfMissing: { namespace }, add: { providers: { SS: [provider] } } });
        await updateItem(table, keyOf(workspace, name), change);
        known.set(nameIn(key), performance.now());
      });
      await keepDatasets(table, known, workspace, names);
      return news.length === 0;
    },
  };
}

/** Counted separately: one item per dataset, once per process. */
async function keepDatasets(
  table: Table,
  known: LRUCache<string, number>,
  workspace: WorkspaceId,
  names: readonly UsedName[],
): Promise<void> {
  const rows = names.flatMap((name) =>
    name.kind === 'namespace' ? [...(name.unowned ?? [])].map((dataset) => [name, dataset] as const) : [],
  );
  const keys = rows.map(([name, dataset]) => ({ pk: datasetsOf(workspace, name), sk: digestOf(dataset) }));
  await inParallel(
    writesInFlight,
    keys.filter((key) => !known.has(keyName(key))),
    async (key) => {
      await putItem(table, marshall(key));
      known.set(keyName(key), 0);
    },
  );
}

const datasetsOf = (workspace: WorkspaceId, name: UsedName) => {
  const { pk, sk } = keyOf(workspace, name);
  return `${pk}#${sk}`;
};

export const usedNames = (table: Table): UnownedNames => ({
  namespaces: async (workspace, limit) => {
    const found: UsedNamespace[] = [];
    const { pk } = usedNameItemKey(workspace, '');
    for await (const item of queryAll(table, inPartition(pk))) {
      const namespace = item['namespace']?.S;
      if (namespace !== undefined) found.push({ namespace, providers: new Set(item['providers']?.SS ?? []) });
      if (found.length === limit) break;
    }
    return found;
  },
  datasets: async (workspace, namespace, limit) => {
    const partition = inPartition(datasetsOf(workspace, { kind: 'namespace', namespace }));
    const { Count = 0 } = await queryOnce(table, { ...partition, Select: 'COUNT', Limit: limit });
    return Count;
  },
});

export async function areRecorded(table: Table, workspace: WorkspaceId, names: readonly UsedName[]): Promise<boolean> {
  const keys = new Map(names.map((name) => [usedNameKey(name), keyOf(workspace, name)]));
  return (await batchGet(table, [...keys.values()], { consistent: true })).length > 0;
}

/** Refuses a commit where one of the names was used by then. */
export const ifNotRecorded = (table: Table, workspace: WorkspaceId, names: readonly UsedName[]) =>
  [...new Map(names.map((name) => [usedNameKey(name), keyOf(workspace, name)])).values()].map((key) => ({
    ConditionCheck: {
      TableName: table.name,
      Key: keyAttributes(key),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
