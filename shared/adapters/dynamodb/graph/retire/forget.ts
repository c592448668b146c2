import { chunksOf } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { RetiredClaims } from '../../../../domain/lineage/graph/claim-writer.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import { type Reduction, reduceUnchanged } from '../../requests/batched-changes.ts';
import { deleteItem, getItem, type Item, itemsByKey } from '../../requests/items.ts';
import type { Table } from '../../requests/table.ts';
import { changing, updateItem, writeStamp } from '../../requests/update-item.ts';
import { pagesOfRetired, type RetiredPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, isObserver } from '../codec.ts';

const pagesInFlight = 16;
const [pagesPerRead, readsInFlight] = [100, 4];

/** A page of one item, and the attributes of a retired order on all of its sides. */
type NamedPage = RetiredPage & { readonly names: readonly string[] };

/** Removes the claims of one retired order from the pages and from their history, and the pages that nothing is left of. */
export async function forgetPages(writer: GraphWriter, retired: RetiredClaims): Promise<void> {
  const { kind, scope, order } = retired;
  const pages = (await pagesOfRetired(writer, retired)).map(
    (page): NamedPage => ({ ...page, names: page.sides.map((side) => attribute.claims(side, kind, scope, order)) }),
  );
  await inParallel(readsInFlight, chunksOf(pages, pagesPerRead), (some) => forgetSome(writer.table, some));
}

async function forgetSome(table: Table, pages: readonly NamedPage[]): Promise<void> {
  // The pages before their history: a page that is empty now has had its last history written before.
  const current = await itemsByKey(
    table,
    pages.map((page) => page.current),
  );
  const history = await itemsByKey(
    table,
    pages.map((page) => page.history),
  );
  const past = (page: NamedPage) => history.get(keyName(page.history));
  const written = new Set(
    await reduceUnchanged(
      table,
      pages.flatMap((page) => reductionOf(page, past(page), true)),
    ),
  );
  const rest = pages.filter((page) => !written.has(page));
  const hasNoHistory = (page: NamedPage) => isEmptyItem(past(page) ?? {}, page.names);
  const left = await reduceUnchanged(
    table,
    rest.flatMap((page) => reductionOf(page, current.get(keyName(page.current)), hasNoHistory(page))),
  );
  await inParallel(pagesInFlight, [...written, ...left], (page) => forgetPage(table, page));
}

/** What removing the names takes of an item as it was read; the item goes where nothing is left and it may. */
function reductionOf(page: NamedPage, read: Item | undefined, mayGo: boolean): Reduction<NamedPage>[] {
  if (read === undefined) return [];
  if (mayGo && isEmptyItem(read, page.names)) return [{ one: page, read, remove: 'item' }];
  const remove = page.names.filter((name) => name in read);
  return remove.length === 0 ? [] : [{ one: page, read, remove }];
}

/** The same of a page that somebody writes meanwhile. */
async function forgetPage(table: Table, page: NamedPage): Promise<void> {
  for (const name of page.names) {
    const removal = changing({ set: { w: writeStamp() }, remove: [name], where: [{ name, is: 'present' }] });
    await updateItem(table, page.current, removal);
    await updateItem(table, page.history, removal);
  }
  await deleteIfEmpty(table, page);
}

export async function deleteIfEmpty(table: Table, { current, history }: Omit<RetiredPage, 'sides'>): Promise<void> {
  // The page before its history: a page that is empty now has had its last history written before.
  const item = await getItem(table, current);
  const past = await getItem(table, history);
  const isHistoryRemoved = past === null || (isEmptyItem(past) && (await deleteIfUnchanged(table, history, past)));
  if (isHistoryRemoved && item && isEmptyItem(item)) await deleteIfUnchanged(table, current, item);
}

const ownAttributes: ReadonlySet<string> = new Set(['pk', 'sk', attribute.urn, attribute.written]);
/** Whether nothing is left but a name, without some attributes: who once observed what is gone is nothing either. */
const isEmptyItem = (item: Item, without: readonly string[] = []) =>
  Object.keys(item).every((name) => ownAttributes.has(name) || isObserver(name) || without.includes(name));

/** False where somebody wrote to the item since: it is not empty any more, or will be found empty again; a level never goes. */
const deleteIfUnchanged = (table: Table, key: Key, item: Item): Promise<boolean> =>
  deleteItem(table, key, {
    ConditionExpression: 'w = :w AND attribute_not_exists(ob) AND attribute_not_exists(ib)',
    ExpressionAttributeValues: { ':w': item[attribute.written] ?? { NULL: true } },
  });
