import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { WorkspaceId } from '../../../contract/ids.ts';
import { Notification } from '../../../contract/messages.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { Announcements } from '../../../domain/notifications/webhook.ts';
import { announcementDueKey, announcementIndexes, announcementKey } from '../keys/resource-keys.ts';
import { deleteItem } from '../requests/items.ts';
import { dueItems } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';

/** The time within which its writer has announced it. */
const dueAfterMs = 5 * 60_000;

export function announcementPut(
  table: Table,
  workspace_id: WorkspaceId,
  notification: Notification,
): TransactWriteItem {
  const dueAt = new Date(Date.parse(notification.occurred_at) + dueAfterMs).toISOString();
  const keys = { ...announcementKey(workspace_id, notification.id), ...announcementDueKey(notification.id, dueAt) };
  const Item = marshall({ ...keys, workspace_id, notification: JSON.stringify(notification) });
  return { Put: { TableName: table.name, Item } };
}

const Stored = v.object({ workspace_id: WorkspaceId, notification: v.pipe(v.string(), v.parseJson(), Notification) });

export const announcementStore = (table: Table): Announcements => ({
  due: async (now, limit) => {
    const read = (index: string) => dueItems(table, index, now, limit);
    const found = await inParallel(announcementIndexes.length, announcementIndexes, read);
    return found.flat().map((item) => v.parse(Stored, unmarshall(item)));
  },
  remove: announcementRemover(table),
});

export const announcementRemover =
  (table: Table): Announcements['remove'] =>
  async (workspace, id) => {
    await deleteItem(table, announcementKey(workspace, id));
  };
