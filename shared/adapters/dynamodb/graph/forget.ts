import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { DeadClaims } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import type { Key } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { type DeadPage, pagesOfDead } from './dead-pages.ts';
import { attribute, isObserver } from './page-codec.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };

const pagesInFlight = 16;

/** Removes the claims of one dead order from the pages and from their history, and the pages that nothing is left of. */
export async function forgetPages(writer: Writer, workspace: WorkspaceId, dead: DeadClaims): Promise<void> {
  for (const side of ['out', 'in'] as const) {
    const name = attribute.claims(side, dead.kind, dead.scope, dead.order);
    const pages = await pagesOfDead(writer.table, workspace, side, dead);
    await inParallel(pagesInFlight, pages, (page) => forgetPage(writer, page, name));
  }
}

async function forgetPage(writer: Writer, page: DeadPage, name: string): Promise<void> {
  const removal = {
    UpdateExpression: 'SET w = :w REMOVE #n',
    ConditionExpression: 'attribute_exists(#n)',
    ExpressionAttributeNames: { '#n': name },
    ExpressionAttributeValues: { ':w': written() },
  };
  await updateItem(writer, page.hot, removal);
  await updateItem(writer, page.cold, removal);
  await forgetIfBare(writer, page);
}

/** Removes a page that nothing is left of, neither claims nor history. */
export async function forgetIfBare({ table }: Writer, { hot, cold }: DeadPage): Promise<void> {
  // The page before its history: a page that is bare now has had its last history written before.
  const [item] = await batchGet(table, [hot], { consistent: true });
  const historyIsGone = await deleteIfBare(table, cold);
  if (historyIsGone && item && isBare(item)) await deleteUnlessWritten(table, hot, item);
}

const bare: ReadonlySet<string> = new Set(['pk', 'sk', attribute.urn, attribute.written]);
/** Whether nothing is left but a name: who once observed what is gone is nothing either. */
const isBare = (item: Item) => Object.keys(item).every((name) => bare.has(name) || isObserver(name));

/** Whether nothing is there now. */
async function deleteIfBare(table: Table, key: Key): Promise<boolean> {
  const [item] = await batchGet(table, [key], { consistent: true });
  if (!item) return true;
  return isBare(item) && deleteUnlessWritten(table, key, item);
}

/** False where somebody wrote to the item since: it is not empty any more, or will be found empty again; a level never goes. */
export async function deleteUnlessWritten(table: Table, { pk, sk }: Key, item: Item): Promise<boolean> {
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
