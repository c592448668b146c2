import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { Policy } from '../../domain/policy/policy.ts';
import type { PolicyStore } from '../../domain/policy/ports.ts';
import { PolicyRevision, policyOf } from '../../domain/policy/revision.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { isConditionFailure } from './is-condition-failure.ts';
import { policyHeadKey, policyRevisionKey, recountKey } from './keys/policy-keys.ts';
import { recountItem, recountOf } from './recounts.ts';
import { queryRecords } from './registry-collection.ts';
import type { Table } from './table.ts';

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

/** Policies over the table: immutable revisions, and a head that holds the whole newest one. */
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
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: attributes({ ':pk': first.pk, ':first': first.sk, ':last': last.sk }),
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
  const put = { TableName: table.name };
  const head = { ...put, Item: marshall({ ...policyHeadKey(workspace, connector), ...revision }) };
  const kept = {
    ...put,
    Item: marshall({ ...policyRevisionKey(workspace, connector, revision.revision), ...revision }),
  };
  const none = 'attribute_not_exists(pk)';
  const last = { ':last': { N: String(revision.revision - 1) } };
  const headCondition =
    revision.revision === 1
      ? { ConditionExpression: none }
      : { ConditionExpression: 'revision = :last', ExpressionAttributeValues: last };
  try {
    await table.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { ...head, ...headCondition } },
          { Put: { ...kept, ConditionExpression: none } },
          { Put: { ...put, Item: recount } },
        ],
      }),
    );
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
