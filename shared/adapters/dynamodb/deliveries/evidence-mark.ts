import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import type { Delivery } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import { type EvidenceMark, lookMarginMs, untilSeen } from '../../../domain/lineage/queries/claim/evidence-until.ts';
import { evidenceMarkKey } from '../keys/delivery-keys.ts';
import { attributes, getItem, type Item } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { changing, updateItem } from '../requests/update-item.ts';

/** One write serves the acceptances of so long. */
const touchedAheadMs = 5_000;

const text = v.optional(v.nullable(v.string()), null);
const StoredMark = v.object({
  touched: v.optional(v.string(), ''),
  until: text,
  looked: text,
  covers: text,
  waits: v.optional(v.boolean(), false),
  lowered: v.optional(v.number(), 0),
});

export const markOf = (item: Item): EvidenceMark => v.parse(StoredMark, unmarshall(item));

/** Null if the workspace never accepted a delivery. */
export const lastTouched =
  (table: Table) =>
  async (workspace: WorkspaceId): Promise<string | null> => {
    const item = await getItem(table, evidenceMarkKey(workspace));
    return item && (markOf(item).touched || null);
  };

/** Notes that a delivery waits from now on; stored when it resolves. */
export type WaitingNotes = (delivery: Pick<Delivery, 'workspace_id' | 'received_at'>) => Promise<void>;

export function waitingNotes(table: Table): WaitingNotes {
  const touched = lruCache<WorkspaceId, string>(10_000);
  return async ({ workspace_id, received_at }) => {
    const [now, key] = [Date.now(), evidenceMarkKey(workspace_id)];
    if (now - Date.parse(received_at) > lookMarginMs / 2) await lower(table, workspace_id, received_at);
    if ((touched.get(workspace_id) ?? '') > received_at) return;
    const until = new Date(now + touchedAheadMs).toISOString();
    const where = [{ name: 'touched', is: '<', value: { S: until }, orMissing: true }] as const;
    await updateItem(table, key, changing({ set: attributes({ touched: until }), where }));
    touched.set(workspace_id, until);
  };
}

/** For a delivery whose receipt is stored long after its reception, or that waits again: a look may have passed it. */
async function lower(table: Table, workspace: WorkspaceId, receivedAt: string): Promise<void> {
  const [key, add] = [evidenceMarkKey(workspace), { lowered: { N: '1' } }];
  const where = [{ name: 'until', is: '>', value: { S: receivedAt }, orMissing: true }] as const;
  const { refused } = await updateItem(table, key, changing({ set: attributes({ until: receivedAt }), add, where }));
  if (refused) await updateItem(table, key, changing({ add }));
}

/** Keeps what a look at the deliveries found, unless it may have missed one. */
export async function noteLook(
  table: Table,
  workspace: WorkspaceId,
  { lowered, touched }: EvidenceMark,
  { oldest, now }: { readonly oldest: string | null; readonly now: Date },
) {
  const seen = untilSeen(oldest, now);
  const asRead =
    lowered === 0
      ? ({ name: 'lowered', is: 'missing' } as const)
      : ({ name: 'lowered', is: '=', value: { N: String(lowered) } } as const);
  const set = attributes({ ...seen, looked: now.toISOString(), covers: touched });
  await updateItem(table, evidenceMarkKey(workspace), changing({ set, where: [asRead] }));
  return seen;
}
