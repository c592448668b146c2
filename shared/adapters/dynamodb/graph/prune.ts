import type { WorkspaceId } from '../../../contract/ids.ts';
import type { NodeId } from '../../../domain/graph/ids.ts';
import type { Order } from '../../../domain/graph/order.ts';
import type { ClaimWriter } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import type { Key } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { type Expression, updateItem, written } from '../update-item.ts';
import { type DeadPage, pagesOfDead } from './dead-pages.ts';
import { attribute, claimElement, elementOf } from './page-codec.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };
type Dead = Parameters<ClaimWriter['prune']>[1];

/** A dead order's attribute, and that of the order before it: equal words of both become one run. */
type Names = { readonly own: string; readonly before: { readonly name: string; readonly order: Order } | null };

const pagesARead = 100;
const pagesInFlight = 16;

/**
 * Moves the claims of one dead order to the pages of history: first written there, then exactly those that were read
 * are removed. A page that nothing is left of stays, because history is found beside it.
 */
export async function prunePages(writer: Writer, workspace: WorkspaceId, dead: Dead): Promise<void> {
  const { continues } = dead;
  for (const side of ['out', 'in'] as const) {
    const nameOf = (order: Order) => attribute.claims(side, dead.kind, dead.scope, order);
    const names: Names = {
      own: nameOf(dead.order),
      before: continues === null ? null : { name: nameOf(continues), order: continues },
    };
    const pages = await pagesOfDead(writer.table, workspace, side, dead);
    while (pages.length > 0) await prunePagesOfOneRead(writer, pages.splice(0, pagesARead), names);
  }
}

async function prunePagesOfOneRead(writer: Writer, pages: readonly DeadPage[], names: Names): Promise<void> {
  const hot = await readItems(
    writer.table,
    pages.map((page) => page.hot),
    [names.own],
  );
  const claiming = pages.filter((page) => hot.get(nameOfKey(page.hot))?.[names.own]?.SS);
  const cold = await readHistory(
    writer.table,
    claiming.map((page) => page.cold),
    names,
  );
  await inParallel(pagesInFlight, claiming, async (page) => {
    const claims = hot.get(nameOfKey(page.hot))?.[names.own] ?? { SS: [] };
    await keep(writer, page.cold, names, (claims.SS ?? []) as NodeId[], cold.get(nameOfKey(page.cold)) ?? {});
    await updateItem(writer, page.hot, {
      UpdateExpression: 'SET w = :w DELETE #n :set',
      ConditionExpression: 'attribute_exists(#n)',
      ExpressionAttributeNames: { '#n': names.own },
      ExpressionAttributeValues: { ':set': claims, ':w': written() },
    });
  });
}

/** A snapshot repeats nearly all of the one before: kept as runs, history grows with what changed and not with every load. */
async function keep(writer: Writer, key: Key, names: Names, others: readonly NodeId[], item: Item): Promise<void> {
  const known = new Set(elements(item, names.own).map(({ other }) => other));
  const fresh = new Set(others.filter((other) => !known.has(other)));
  if (fresh.size === 0) return;
  const { refused } = await updateItem(writer, key, addition(item, names, fresh));
  // Refused: another order came to the same page since it was read.
  if (refused === null) return;
  const again = await readHistory(writer.table, [key], names);
  await keep(writer, key, names, others, again.get(nameOfKey(key)) ?? {});
}

function addition(item: Item, { own, before }: Names, fresh: ReadonlySet<NodeId>): Expression {
  const read = item[attribute.written];
  const continued = before ? elements(item, before.name).filter(({ other }) => fresh.has(other)) : [];
  const runs = new Map(continued.map(({ other, since = before?.order ?? null }) => [other, since]));
  const added = [...fresh].map((other) => claimElement(other, runs.get(other) ?? null));
  const ended = continued.map(({ other, since = null }) => claimElement(other, since));
  const ending = before !== null && ended.length > 0 ? before : null;
  return {
    UpdateExpression: `SET w = :w ADD #own :added${ending ? ' DELETE #before :ended' : ''}`,
    ConditionExpression: read ? 'w = :read' : 'attribute_not_exists(w)',
    ExpressionAttributeNames: { '#own': own, ...(ending && { '#before': ending.name }) },
    ExpressionAttributeValues: {
      ':w': written(),
      ':added': { SS: added },
      ...(ending && { ':ended': { SS: ended } }),
      ...(read && { ':read': read }),
    },
  };
}

const readHistory = (table: Table, keys: readonly Key[], { own, before }: Names) =>
  readItems(table, keys, before ? [own, before.name] : [own]);

async function readItems(
  table: Table,
  keys: readonly Key[],
  attributes: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const names = ['pk', 'sk', attribute.written, ...attributes];
  const items = await batchGet(table, keys, { consistent: true, attributes: names });
  return new Map(items.map((item) => [nameOfKey({ pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' }), item]));
}

const nameOfKey = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const elements = (item: Item, name: string) => (item[name]?.SS ?? []).map(elementOf);
