import { chunksOf } from '../../../../domain/chunks-of.ts';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { NodeId } from '../../../../domain/graph/ids.ts';
import type { Item } from '../../batch-get.ts';
import { insertEach } from '../../insert-missing.ts';
import { keyName } from '../../keys/key.ts';
import { reduceUnchanged } from '../../reduce-unchanged.ts';
import type { Table } from '../../table.ts';
import { type UpdateExpression, updateItem, writeStamp } from '../../update-item.ts';
import { pageSides, pagesOfRetired, type RetiredPage, type SharedPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { nodeIdOf } from '../codec/codec.ts';
import { addToHistory, claimsAttribute, firstHistory, type Retired, type Run, runsOf } from './history.ts';
import { readItems } from './read-items.ts';

/** A page on which a retired order claims something, as it was read. */
type ClaimingPage = {
  readonly page: RetiredPage;
  readonly item: Item;
  /** The attributes of the item that the order claims by. */
  readonly names: readonly string[];
  readonly runs: readonly Run[];
  readonly past: Item | undefined;
};

const pagesPerRead = 100;
const pagesInFlight = 16;
/** An expression holds 4 KB. */
const runsPerUpdate = 20;

/**
 * Moves the claims of one retired order to the pages of history: first written there, then exactly those that were read
 * are removed. A page that nothing is left of stays, because history is found by it.
 */
export async function prunePages(writer: GraphWriter, retired: Retired): Promise<void> {
  const pages = await pagesOfRetired(writer, retired);
  while (pages.length > 0) await prunePagesOfOneRead(writer.table, pages.splice(0, pagesPerRead), retired);
}

async function prunePagesOfOneRead(table: Table, pages: readonly SharedPage[], retired: Retired): Promise<void> {
  const found = await claimingPages(table, pages, retired);
  const refused = await insertEach(table, found, {
    keyOf: ({ page }) => page.history,
    attributesOf: ({ past, runs }) => (past ? null : firstHistory(runs)),
  });
  await inParallel(pagesInFlight, refused, async ({ page, past = {}, runs }) => {
    for (const some of chunksOf(runs, runsPerUpdate))
      await addToHistory(table, { key: page.history, item: past }, some);
  });
  const left = await reduceUnchanged(
    table,
    found.map((one) => ({ one, read: one.item, remove: one.names })),
  );
  await inParallel(pagesInFlight, left, ({ page, item, names }) =>
    updateItem(table, page.current, removal(item, names)),
  );
}

async function claimingPages(table: Table, pages: readonly SharedPage[], retired: Retired): Promise<ClaimingPage[]> {
  const current = await readItems(
    table,
    pages.map((page) => page.current),
    pageSides.map((side) => claimsAttribute(retired, side, retired.order)),
  );
  const claiming = pages.flatMap((page) => {
    const item = current.get(keyName(page.current)) ?? {};
    const claims = page.sides.flatMap((side) => {
      const name = claimsAttribute(retired, side, retired.order);
      const others = item[name]?.SS;
      return others ? [{ name, runs: runsOf(retired, { node: nodeIdOf(item), side }, others as NodeId[]) }] : [];
    });
    return claims.length > 0 ? [{ page, item, claims }] : [];
  });
  const history = await readItems(
    table,
    claiming.map(({ page }) => page.history),
  );
  return claiming.map(({ page, item, claims }) => ({
    page,
    item,
    names: claims.map(({ name }) => name),
    runs: claims.flatMap(({ runs }) => runs),
    past: history.get(keyName(page.history)),
  }));
}

/** Takes of a page that somebody wrote meanwhile what was read of it, and no more. */
const removal = (item: Item, names: readonly string[]): UpdateExpression => ({
  UpdateExpression: `SET w = :w DELETE ${names.map((_, i) => `#n${i} :set${i}`).join(', ')}`,
  ConditionExpression: names.map((_, i) => `attribute_exists(#n${i})`).join(' OR '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
  ExpressionAttributeValues: {
    ':w': writeStamp(),
    ...Object.fromEntries(names.map((name, i) => [`:set${i}`, item[name] ?? { SS: [] }])),
  },
});
