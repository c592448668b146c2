import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { RetiredClaims } from '../../../../domain/graph/claim-writer.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import type { Key } from '../../keys/key.ts';
import type { Table } from '../../table.ts';
import { updateItem, writeStamp } from '../../update-item.ts';
import { pageSides, pagesOfRetired, type RetiredPage } from '../claims/claim-pages.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { attribute, isObserver } from '../codec/codec.ts';

const pagesInFlight = 16;

/** Removes the claims of one retired order from the pages and from their history, and the pages that nothing is left of. */
export async function forgetPages(writer: GraphWriter, retired: RetiredClaims): Promise<void> {
  for (const side of pageSides) {
    const name = attribute.claims(side, retired.kind, retired.scope, retired.order);
    const pages = await pagesOfRetired(writer, side, retired);
    await inParallel(pagesInFlight, pages, (page) => forgetPage(writer.table, page, name));
  }
}

async function forgetPage(table: Table, page: RetiredPage, name: string): Promise<void> {
  const removal = {
    UpdateExpression: 'SET w = :w REMOVE #n',
    ConditionExpression: 'attribute_exists(#n)',
    ExpressionAttributeNames: { '#n': name },
    ExpressionAttributeValues: { ':w': writeStamp() },
  };
  await updateItem(table, page.current, removal);
  await updateItem(table, page.history, removal);
  await deleteIfEmpty(table, page);
}

/** Removes a page that nothing is left of, neither claims nor history. */
export async function deleteIfEmpty(table: Table, { current, history }: RetiredPage): Promise<void> {
  // The page before its history: a page that is empty now has had its last history written before.
  const [item] = await batchGet(table, [current], { consistent: true });
  const historyIsGone = await deleteHistoryIfEmpty(table, history);
  if (historyIsGone && item && isEmptyItem(item)) await deleteIfUnchanged(table, current, item);
}

const ownAttributes: ReadonlySet<string> = new Set(['pk', 'sk', attribute.urn, attribute.written]);
/** Whether nothing is left but a name: who once observed what is gone is nothing either. */
const isEmptyItem = (item: Item) => Object.keys(item).every((name) => ownAttributes.has(name) || isObserver(name));

/** Whether nothing is there now. */
async function deleteHistoryIfEmpty(table: Table, key: Key): Promise<boolean> {
  const [item] = await batchGet(table, [key], { consistent: true });
  if (!item) return true;
  return isEmptyItem(item) && deleteIfUnchanged(table, key, item);
}

/** False where somebody wrote to the item since: it is not empty any more, or will be found empty again; a level never goes. */
export async function deleteIfUnchanged(table: Table, { pk, sk }: Key, item: Item): Promise<boolean> {
  try {
    await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: { pk: { S: pk }, sk: { S: sk } },
        ConditionExpression: 'w = :w AND attribute_not_exists(ob) AND attribute_not_exists(ib)',
        ExpressionAttributeValues: { ':w': item[attribute.written] ?? { NULL: true } },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}
