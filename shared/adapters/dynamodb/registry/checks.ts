import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { CheckId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Notification } from '../../../contract/messages.ts';
import { Check, CheckResult, CheckStatus, type CheckStore, type Written } from '../../../domain/agents/checks/check.ts';
import type { AuditEntry, StoredRecord } from '../../../domain/workspaces/access/records.ts';
import { enabledChecksKey } from '../keys/registry-keys.ts';
import { checkResultKey, checkStatusKey } from '../keys/resource-keys.ts';
import { batchGet } from '../requests/items.ts';
import { between } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { firstRefused, transact } from '../requests/transact.ts';
import { announcementPut } from './announcements.ts';
import {
  auditPut,
  countChange,
  findRecord,
  listedBy,
  listedRecords,
  queryRecords,
  recordPut,
  unchanged,
} from './registry-collection.ts';

/** Results that are older are history as long as the graph's own is not. */
const resultRetentionSeconds = 365 * 86_400;

const shape = listedBy('check', Check, 'id');

export function checkStore(table: Table): CheckStore {
  return {
    find: (workspace_id, id) => findRecord(table, Check, shape.key({ workspace_id, id })),
    list: listedRecords(table, shape).list,
    write: (before, check, audit) => write(table, before, check, audit),
    remove: (before, audit) => remove(table, before, audit),
    status: (workspace, id) => findRecord(table, CheckStatus, checkStatusKey(workspace, id)),
    statuses: async (workspace, ids) => {
      const items = await batchGet(
        table,
        ids.map((id) => checkStatusKey(workspace, id)),
      );
      return items.map((item) => v.parse(CheckStatus, unmarshall(item)));
    },
    commit: (before, status, notification = null) => commit(table, { before, status, notification }),
    results: (workspace, id, page) => results(table, workspace, id, page),
  };
}

function write(table: Table, before: StoredRecord<Check> | null, check: Check, audit: AuditEntry): Promise<Written> {
  const { workspace_id, enabled } = check;
  const put = recordPut(table, { ...shape.key(check), ...check }, before);
  const change = Number(enabled) - Number(before?.record.enabled ?? false);
  return commitAll(table, [put, ...countedEnabled(table, workspace_id, change), auditPut(table, audit)]);
}

function remove(table: Table, before: StoredRecord<Check>, audit: AuditEntry): Promise<Written> {
  const { workspace_id, enabled } = before.record;
  const removal = {
    Delete: { TableName: table.name, Key: marshall(shape.key(before.record)), ...unchanged(before) },
  };
  return commitAll(table, [removal, ...countedEnabled(table, workspace_id, enabled ? -1 : 0), auditPut(table, audit)]);
}

const countedEnabled = (table: Table, workspace: WorkspaceId, change: number): TransactWriteItem[] =>
  change === 0 ? [] : [countChange(table, enabledChecksKey(workspace), { change, max: limits.agentCheck.enabled })];

async function commitAll(table: Table, items: TransactWriteItem[]): Promise<Written> {
  const refused = await firstRefused(table, items);
  if (refused === null) return 'written';
  return refused === 0 ? 'changed' : 'full';
}

type StatusWrite = {
  readonly before: StoredRecord<CheckStatus> | null;
  readonly status: CheckStatus;
  readonly notification: Notification | null;
};

async function commit(table: Table, { before, status, notification }: StatusWrite): Promise<boolean> {
  const { workspace_id, check_id, id, evaluated_at } = status.result;
  const ttl = Math.ceil(Date.parse(evaluated_at) / 1000) + resultRetentionSeconds;
  const result = { ...checkResultKey(workspace_id, check_id, id), ...status.result, ttl };
  return transact(table, [
    recordPut(table, { ...checkStatusKey(workspace_id, check_id), ...status }, before),
    { Put: { TableName: table.name, Item: marshall(result, { removeUndefinedValues: true }) } },
    ...(notification ? [announcementPut(table, workspace_id, notification)] : []),
  ]);
}

function results(
  table: Table,
  workspace: WorkspaceId,
  id: CheckId,
  { limit, before }: Parameters<CheckStore['results']>[2],
): Promise<readonly CheckResult[]> {
  const first = checkResultKey(workspace, id, '');
  const last = checkResultKey(workspace, id, before ?? '~');
  return queryRecords(table, CheckResult, {
    ...between(first.pk, first.sk, last.sk),
    ScanIndexForward: false,
    ConsistentRead: true,
    ...(before !== null && { ExclusiveStartKey: marshall(last) }),
    Limit: limit,
  });
}
