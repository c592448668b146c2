import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Policy } from '../../../domain/lineage/policy/policy.ts';
import type { PolicyStore, RecountStore } from '../../../domain/lineage/policy/ports.ts';
import { Recount } from '../../../domain/lineage/policy/recount.ts';
import { PolicyRevision, policyOf } from '../../../domain/lineage/policy/revision.ts';
import { policyHeadKey, policyRevisionKey, recountDueKey, recountIndex, recountKey } from '../keys/resource-keys.ts';
import { attributes, batchGet, getRecord, type Item } from '../requests/items.ts';
import { between, dueItems, dueUntil } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { transact } from '../requests/transact.ts';
import { changing, equal, updateItem } from '../requests/update-item.ts';
import { queryRecords, recordPut, unchanged } from './registry-collection.ts';

/** The policies that hold now, of the connectors that have one: one batch of consistent reads. */
export async function policiesOf(
  table: Table,
  workspace: WorkspaceId,
  connectors: readonly ConnectorId[],
): Promise<ReadonlyMap<ConnectorId, Policy>> {
  const keys = [...new Set(connectors)].map((connector) => policyHeadKey(workspace, connector));
  const items = await batchGet(table, keys, { consistent: true });
  return new Map(items.map(revisionOf).map((revision) => [revision.connector_id, policyOf(revision)]));
}

export function policyStore(table: Table): PolicyStore {
  return {
    current: async (workspace, connector) => {
      const [headKey, repairKey] = [policyHeadKey(workspace, connector), recountKey(workspace, connector)];
      const items = await batchGet(table, [headKey, repairKey], { consistent: true });
      const head = items.find((item) => item['sk']?.S === headKey.sk);
      const recount = items.find((item) => item['sk']?.S === repairKey.sk);
      return head && recount ? { revision: revisionOf(head), recount: recountOf(recount) } : null;
    },
    commit: (revision, recount, dueAt) => commit(table, revision, recountItem(recount, dueAt)),
    revisions: async (workspace, connector, { before, limit }) => {
      const first = policyRevisionKey(workspace, connector, 1);
      const last = policyRevisionKey(workspace, connector, (before ?? maxRevision) - 1);
      // The store refuses a range that ends before it begins.
      if (last.sk < first.sk) return [];
      return queryRecords(table, PolicyRevision, {
        ...between(first.pk, first.sk, last.sk),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      });
    },
  };
}

const maxRevision = 9_999_999_999;

const revisionOf = (item: Item): PolicyRevision => v.parse(PolicyRevision, unmarshall(item));

async function commit(table: Table, revision: PolicyRevision, recount: Item): Promise<boolean> {
  const { workspace_id: workspace, connector_id: connector } = revision;
  const retained = { ...policyRevisionKey(workspace, connector, revision.revision), ...revision };
  const before = revision.revision === 1 ? null : { revision: revision.revision - 1 };
  return transact(table, [
    recordPut(table, { ...policyHeadKey(workspace, connector), ...revision }, before),
    { Put: { TableName: table.name, Item: marshall(retained), ...unchanged(null) } },
    { Put: { TableName: table.name, Item: recount } },
  ]);
}

export function recountStore(table: Table): RecountStore {
  return {
    get: (workspace, connector) => getRecord(table, Recount, recountKey(workspace, connector)),
    advance: (from, to, dueAt) => advance(table, from, to, dueAt),
    due: async (now, limit) => (await dueItems(table, recountIndex, now, limit)).map(recountOf),
    reschedule: async (recount, now, dueAt) => {
      const { gsi2sk } = recountDueKey(recount.workspace_id, recount.connector_id, dueAt);
      const where = [...isAt(recount), { name: 'gsi2sk', is: '<=', value: { S: dueUntil(now) } } as const];
      const key = recountKey(recount.workspace_id, recount.connector_id);
      return (await updateItem(table, key, changing({ set: { gsi2sk: { S: gsi2sk } }, where }))).refused === null;
    },
  };
}

const recountItem = (recount: Recount, dueAt: string | null): Item =>
  marshall({
    ...recountKey(recount.workspace_id, recount.connector_id),
    ...recount,
    ...(dueAt !== null && recountDueKey(recount.workspace_id, recount.connector_id, dueAt)),
  });

const isAt = ({ revision, step }: Recount) => [
  equal('revision', { N: String(revision) }),
  equal('step', { N: String(step) }),
];

const recountOf = (item: Item): Recount => v.parse(Recount, unmarshall(item));

async function advance(table: Table, from: Recount, to: Recount, dueAt: string | null): Promise<boolean> {
  const { workspace_id, connector_id, ...progress } = to;
  const place = dueAt === null ? {} : recountDueKey(workspace_id, connector_id, dueAt);
  const change = {
    set: attributes({ ...progress, ...place }),
    remove: dueAt === null ? ['gsi2pk', 'gsi2sk'] : [],
    where: isAt(from),
  };
  const { refused } = await updateItem(table, recountKey(workspace_id, connector_id), changing(change));
  return refused === null;
}
