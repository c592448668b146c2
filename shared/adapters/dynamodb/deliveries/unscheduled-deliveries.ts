import type { WorkspaceId } from '../../../contract/ids.ts';
import { noticedAfterMs, openStates } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { DeliveryPosition } from '../../../domain/lineage/ingest/deliveries/ports.ts';
import type { SweepCheckpoints } from '../../../domain/operations/sweep/archive-payloads.ts';
import { sweepCheckpointKey } from '../keys/registry-keys.ts';
import { getItem, type Item, keyAttributes, putItem } from '../requests/items.ts';
import { pack, unpack } from '../requests/parts.ts';
import type { Table } from '../requests/table.ts';
import { positionOf, readListed, receiptsAt } from './listed-deliveries.ts';

const entriesPerPage = 1_000;

type Range = { readonly after: DeliveryPosition | null; readonly until?: string };
type Page = { readonly items: readonly Item[]; readonly reached: DeliveryPosition | null };

async function* unscheduledIn(table: Table, workspace: WorkspaceId, range: Range): AsyncGenerator<Page> {
  let { after } = range;
  do {
    const { listed, next } = await readListed(table, workspace, {
      ...range,
      after,
      oldestFirst: true,
      wanted: entriesPerPage,
    });
    const last = listed.at(-1);
    const reached = next ?? (last ? positionOf(last) : null);
    yield { items: (await receiptsAt(table, workspace, listed)).filter(isUnscheduled), reached };
    after = next;
  } while (after);
}

const open: readonly (string | undefined)[] = openStates;
export const isUnscheduled = (item: Item): boolean => open.includes(item['state']?.S) && item['gsi2pk'] === undefined;

const taskOf = (workspace: WorkspaceId): string => `due ${workspace}`;

/** Where the sweep stopped. Queries read it, so that it is apart from what writes it: a role gets what its bundle sends. */
const sweptUntil = async (table: Table, workspace: WorkspaceId) =>
  (await readCheckpoint(table, taskOf(workspace))) as DeliveryPosition | null;

async function readCheckpoint(table: Table, task: string): Promise<unknown> {
  const item = await getItem(table, sweepCheckpointKey(task));
  return item && unpack(item['place']);
}

/** Open deliveries without a due time that no sweep has looked at. Notes the place once a page is dealt with. */
export async function* unscheduledPages(
  table: Table,
  workspace: WorkspaceId,
  now: Date,
): AsyncGenerator<readonly Item[]> {
  const [places, after] = [sweepCheckpoints(table), await sweptUntil(table, workspace)];
  // With every place of that moment.
  const until = `${new Date(now.getTime() - noticedAfterMs).toISOString()}~`;
  for await (const { items, reached } of unscheduledIn(table, workspace, { after, until })) {
    yield items;
    if (reached) await places.write(taskOf(workspace), reached);
  }
}

/** The number of unswept pages to count: the newest of a busy minute are left out. */
const pagesCounted = 4;

export async function* unscheduledSince(table: Table, workspace: WorkspaceId): AsyncGenerator<Item> {
  const after = await sweptUntil(table, workspace);
  let pages = 0;
  for await (const { items } of unscheduledIn(table, workspace, { after })) {
    yield* items;
    if (++pages === pagesCounted) return;
  }
}

/** When the oldest of them was received, after a moment before which there was none; of too many, a moment before which there is none. */
export async function oldestUnscheduled(
  table: Table,
  workspace: WorkspaceId,
  from: string | null,
): Promise<string | null> {
  const swept = await sweptUntil(table, workspace);
  const after = from !== null && from > (swept?.received_at ?? '') ? { received_at: from, delivery_id: '' } : swept;
  let pages = 0;
  for await (const { items, reached } of unscheduledIn(table, workspace, { after: after as DeliveryPosition | null })) {
    const [oldest] = items.flatMap((item) => item['received_at']?.S ?? []).sort();
    if (oldest !== undefined) return oldest;
    if (++pages === pagesCounted) return reached?.received_at ?? null;
  }
  return null;
}

/** Where tasks of the sweep stopped, over the table: one item a task. */
export function sweepCheckpoints(table: Table): SweepCheckpoints {
  return {
    read: (task) => readCheckpoint(table, task),
    write: async (task, place) => {
      await putItem(table, { ...keyAttributes(sweepCheckpointKey(task)), place: pack(place) });
    },
  };
}
