import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { Gap } from '../../../contract/gaps.ts';
import type { ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { GapStore, GapWrite } from '../../../domain/lineage/gaps/ports.ts';
import type { CurrentGap } from '../../../domain/lineage/providers/provider.ts';
import { currentGapsKey, gapKey, providerCountersKey, snapshotStatusKey } from '../keys/delivery-keys.ts';
import { announcementPut } from '../registry/announcements.ts';
import { queryRecords } from '../registry/registry-collection.ts';
import { attributes, getRecord, type Item } from '../requests/items.ts';
import { between, filtering, queryEach } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { transact, transactedUpdate } from '../requests/transact.ts';
import { changing } from '../requests/update-item.ts';
import { snapshotStatusOf } from './listed-deliveries.ts';

/** A resolved gap is history as long as the graph's own. */
const resolvedRetentionMs = 90 * 86_400_000;

/** Gaps over the table: one item a gap, and one a provider for its current gaps. */
export function gapStore(table: Table): GapStore {
  return {
    current: (workspace, provider) => readCurrent(table, workspace, provider),
    commit: async (workspace, provider, review, notifications = []) => {
      const announcements = notifications.map((one) => announcementPut(table, workspace, one));
      return transact(table, [...writesOf(table, workspace, provider, review), ...announcements]);
    },
    get: (workspace, provider, id) => getRecord(table, Gap, gapKey(workspace, provider, id)),
    list: async (workspace, provider, { status, gapType, before, limit }) => {
      const { pk, sk: first } = gapKey(workspace, provider, '');
      const { KeyConditionExpression, ExpressionAttributeValues: range } = between(pk, first, `${first}~`);
      const { filter, values } = filtering({ status, gap_type: gapType });
      return queryRecords(table, Gap, {
        KeyConditionExpression,
        ...filter,
        ExpressionAttributeValues: { ...range, ...values },
        ...(before !== null && { ExclusiveStartKey: marshall(gapKey(workspace, provider, before)) }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      });
    },
  };
}

const CurrentGaps = v.object({ gaps: v.array(Gap), revision: v.number() });

async function readCurrent(table: Table, workspace: WorkspaceId, provider: ProviderInstanceId) {
  const { pk, sk: last } = currentGapsKey(workspace, provider);
  const range = between(pk, snapshotStatusKey(workspace, provider, '').sk, last);
  const items = await queryEach(table, { ...range, ConsistentRead: true }, (item) => item);
  const current = items.find((item) => item['sk']?.S === last);
  return {
    ...(current ? v.parse(CurrentGaps, unmarshall(current)) : { gaps: [], revision: 0 }),
    snapshots: items.filter((item) => item !== current).map(snapshotStatusOf),
  };
}

function writesOf(
  table: Table,
  workspace: WorkspaceId,
  provider: ProviderInstanceId,
  { after, current, changed }: GapWrite,
): TransactWriteItem[] {
  const put = { TableName: table.name };
  const open = current.filter(({ status }) => status === 'open').length;
  return [
    {
      Put: {
        ...put,
        Item: marshall({ ...currentGapsKey(workspace, provider), gaps: current, revision: after + 1 }),
        ConditionExpression: after === 0 ? 'attribute_not_exists(pk)' : 'revision = :after',
        ...(after > 0 && { ExpressionAttributeValues: attributes({ ':after': after }) }),
      },
    },
    ...changed.map((gap) => ({ Put: { ...put, Item: itemOf(workspace, provider, gap) } })),
    transactedUpdate(
      table,
      providerCountersKey(workspace, provider),
      changing({ set: attributes({ open_gap_count: open, gaps: current.map(currentGap) }) }),
    ),
  ];
}

const currentGap = ({ gap_type, status, opened_at, details: { reason, look_alikes } }: Gap): CurrentGap => ({
  gap_type,
  status,
  opened_at,
  reason,
  ...(look_alikes && {
    look_alikes: { count: look_alikes.count, pairs: look_alikes.pairs.map(({ advice: _, ...pair }) => pair) },
  }),
});

const itemOf = (workspace: WorkspaceId, provider: ProviderInstanceId, gap: Gap): Item =>
  marshall({
    ...gapKey(workspace, provider, gap.id),
    ...gap,
    ...(gap.resolved_at !== null && { ttl: Math.ceil((Date.parse(gap.resolved_at) + resolvedRetentionMs) / 1000) }),
  });
