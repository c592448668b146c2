import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Side } from '../../../domain/graph/claim.ts';
import type { NodeId } from '../../../domain/graph/ids.ts';
import type { ClaimWriter } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { coldPageKey, type Key, pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { attribute } from './page-codec.ts';
import { levelsOf, pagesOfNeighbour } from './pages-of-claim.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };
type Dead = Parameters<ClaimWriter['prune']>[1];

const pagesInFlight = 16;

/** Removes the claims of one dead order: first copied to the cold page where history keeps them, then exactly those that were read. */
export async function prunePages(writer: Writer, workspace: WorkspaceId, dead: Dead): Promise<void> {
  const name = attribute.claims(dead.kind, dead.scope, dead.order);
  await pruneSide(writer, workspace, 'out', neighbours(dead.edges, 'from', 'to'), name, dead.keep);
  await pruneSide(writer, workspace, 'in', neighbours(dead.edges, 'to', 'from'), name, dead.keep);
}

function neighbours(edges: Dead['edges'], node: 'from' | 'to', other: 'from' | 'to'): Map<NodeId, NodeId[]> {
  const found = new Map<NodeId, NodeId[]>();
  for (const edge of edges) {
    const known = found.get(edge[node]);
    if (known) known.push(edge[other]);
    else found.set(edge[node], [edge[other]]);
  }
  return found;
}

async function pruneSide(
  writer: Writer,
  workspace: WorkspaceId,
  side: Side,
  nodes: ReadonlyMap<NodeId, readonly NodeId[]>,
  name: string,
  keep: boolean,
): Promise<void> {
  const levels = await levelsOf(writer.table, workspace, side, [...nodes.keys()]);
  const pages = [...levels].flatMap(([node, level]) => {
    const numbers = new Set((nodes.get(node) ?? []).flatMap((other) => pagesOfNeighbour(level, other)));
    return [...numbers].map((number) => ({ node, number }));
  });
  const keys = pages.map(({ node, number }) => pageKey(workspace, side, node, number));
  const items = await batchGet(writer.table, keys, { consistent: true, attributes: ['pk', 'sk', name] });
  const coldOf = new Map(
    pages.map(({ node, number }) => {
      const hot = pageKey(workspace, side, node, number);
      return [`${hot.pk} ${hot.sk}`, coldPageKey(workspace, side, node, number)];
    }),
  );
  await inParallel(pagesInFlight, items, async (item) => {
    const hot = keyOf(item);
    const cold = coldOf.get(`${hot.pk} ${hot.sk}`);
    const claims = item[name];
    if (!claims?.SS || !cold) return;
    if (keep) {
      await updateItem(writer, cold, {
        UpdateExpression: 'ADD #n :set',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':set': claims },
      });
    }
    const answer = await updateItem(writer, hot, {
      UpdateExpression: 'SET w = :w DELETE #n :set',
      ConditionExpression: 'attribute_exists(#n)',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':set': claims, ':w': written() },
      ReturnValues: 'ALL_NEW',
    });
    if (answer.item && isEmpty(answer.item)) await deleteUnlessWritten(writer.table, answer.item);
  });
}

const keyOf = (item: Item): Key => ({ pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' });

const bare: ReadonlySet<string> = new Set(['pk', 'sk', attribute.urn, attribute.written]);
const isEmpty = (item: Item) => Object.keys(item).every((name) => bare.has(name));

async function deleteUnlessWritten(table: Table, item: Item): Promise<void> {
  const { pk, sk } = keyOf(item);
  try {
    await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: { pk: { S: pk }, sk: { S: sk } },
        ConditionExpression: 'w = :w AND attribute_not_exists(b)',
        ExpressionAttributeValues: { ':w': item[attribute.written] ?? { NULL: true } },
      }),
    );
  } catch (error) {
    // Somebody wrote to the page since: it is not empty any more, or will be found empty again.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
