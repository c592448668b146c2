import type { WorkspaceId } from '../../../contract/ids.ts';
import type { DeadClaims } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet } from '../batch-get.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { pagesOfDead } from './dead-pages.ts';
import { attribute } from './page-codec.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };

const pagesInFlight = 16;

/**
 * Moves the claims of one dead order to the pages of history: first copied, then exactly those that were read are
 * removed. A page that nothing is left of stays, because history is found beside it.
 */
export async function prunePages(writer: Writer, workspace: WorkspaceId, dead: DeadClaims): Promise<void> {
  const name = attribute.claims(dead.kind, dead.scope, dead.order);
  for (const side of ['out', 'in'] as const) {
    const pages = await pagesOfDead(writer.table, workspace, side, dead);
    const colds = new Map(pages.map(({ hot, cold }) => [`${hot.pk} ${hot.sk}`, cold]));
    const keys = pages.map(({ hot }) => hot);
    const items = await batchGet(writer.table, keys, { consistent: true, attributes: ['pk', 'sk', name] });
    await inParallel(pagesInFlight, items, async (item) => {
      const hot = { pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' };
      const cold = colds.get(`${hot.pk} ${hot.sk}`);
      const claims = item[name];
      if (!claims?.SS || !cold) return;
      const expression = { ExpressionAttributeNames: { '#n': name } };
      await updateItem(writer, cold, {
        ...expression,
        UpdateExpression: 'SET w = :w ADD #n :set',
        ExpressionAttributeValues: { ':set': claims, ':w': written() },
      });
      await updateItem(writer, hot, {
        ...expression,
        UpdateExpression: 'SET w = :w DELETE #n :set',
        ConditionExpression: 'attribute_exists(#n)',
        ExpressionAttributeValues: { ':set': claims, ':w': written() },
      });
    });
  }
}
