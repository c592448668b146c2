import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DeleteItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { contentDigest, type NodeId, nodeId, nodeIdLength, type ScopeId, shardOf } from '../../../domain/graph/ids.ts';
import type { Order, RunToken } from '../../../domain/graph/order.ts';
import type { DetailStore, Edge, EdgeDetail, EdgeInScope, NodeRange } from '../../../domain/graph/ports.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { edgeDetailKey, edgeDetailPartKey, edgeDetailShard, type Key, pastNode } from '../keys.ts';
import { pack, unpack } from '../packed.ts';
import { deleteParts, longestInline, partsOf, putParts, readParts } from '../parts.ts';
import { queryAll } from '../query-all.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem } from '../update-item.ts';

const inFlight = 24;
/** A reader whose parts a newer detail replaced meanwhile looks again so often. */
const looks = 5;

type Target = { readonly table: Table; readonly meter?: Meter | undefined };

/** Edge details over the table: one item an (edge, scope), the newest order's; a long one in parts beside it. */
export function detailStore(table: Table, meter?: Meter): DetailStore {
  const target = { table, meter };
  return {
    put: async (workspace, details) => {
      await inParallel(inFlight, details, ({ order, detail, ...edge }) =>
        putNewest(target, keyOf(workspace, edge), order, detail),
      );
    },
    forget: (workspace, scope, run, edges) => forgetOf(target, workspace, scope, run, edges),
    forgetUpTo: async (workspace, edges, order) => {
      await inParallel(inFlight, edges, (edge) =>
        forget(target, keyOf(workspace, edge), {
          ConditionExpression: 'g <= :order',
          ExpressionAttributeValues: { ':order': { S: order } },
        }),
      );
    },
    get: (workspace, edges) =>
      read(
        target,
        edges.map((edge) => keyOf(workspace, edge)),
      ),
    ofNodes: (workspace, nodes) => readRange(target, workspace, nodes),
  };
}

const keyOf = (workspace: WorkspaceId, { from, to, scope }: EdgeInScope) => edgeDetailKey(workspace, from, to, scope);

async function putNewest(target: Target, key: Key, order: Order, detail: EdgeDetail): Promise<void> {
  const packed = pack(detail);
  const isLong = packed.B !== undefined && packed.B.length > longestInline;
  const apart = isLong ? await putApart(target, key, order, packed.B) : null;
  const { refused, item } = await updateItem(target, key, {
    UpdateExpression: apart
      ? 'SET g = :o, parts = :parts, version = :version REMOVE m'
      : 'SET g = :o, m = :m REMOVE parts, version',
    ConditionExpression: 'attribute_not_exists(g) OR g < :o',
    ExpressionAttributeValues: {
      ':o': { S: order },
      ...(apart ? { ':parts': apart.parts, ':version': apart.version } : { ':m': packed }),
    },
    ReturnValues: 'UPDATED_OLD',
  });
  if (refused === null) await dropParts(target, key, item);
  else if (apart && refused['version']?.S !== apart.version.S) await dropParts(target, key, apart);
}

/** The order is in the version too: content that comes back later must not meet the removal of its first appearance. */
async function putApart(target: Target, key: Key, order: Order, bytes: Uint8Array) {
  const version = contentDigest(`${order} ${Buffer.from(bytes).toString('latin1')}`);
  await putParts(target, bytes, (part) => edgeDetailPartKey(key, version, part));
  return { parts: { N: String(partsOf(bytes)) }, version: { S: version } };
}

/** Removes the parts that an item no longer refers to. */
async function dropParts(target: Target, key: Key, item: Item | null): Promise<void> {
  const version = item?.['version']?.S;
  if (version === undefined) return;
  await deleteParts(target, Number(item?.['parts']?.N ?? 0), (part) => edgeDetailPartKey(key, version, part));
}

async function forgetOf(
  target: Target,
  workspace: WorkspaceId,
  scope: ScopeId,
  run: RunToken,
  edges: readonly Edge[],
): Promise<Edge[]> {
  const keyOfEdge = ({ from, to }: Edge) => edgeDetailKey(workspace, nodeId(from), nodeId(to), scope);
  // Read first: nearly all that a run could have said it never did.
  const items = await batchGet(target.table, edges.map(keyOfEdge), { consistent: true, attributes: ['sk', 'g'] });
  const said = new Set(items.flatMap(({ sk, g }) => (g?.S?.includes(run) ? [sk?.S] : [])));
  const found = edges.filter((edge) => said.has(keyOfEdge(edge).sk));
  await inParallel(inFlight, found, (edge) =>
    forget(target, keyOfEdge(edge), {
      ConditionExpression: 'contains(g, :run)',
      ExpressionAttributeValues: { ':run': { S: run } },
    }),
  );
  return found;
}

type Condition = Pick<DeleteItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

async function forget(target: Target, key: Key, condition: Condition): Promise<void> {
  try {
    const answer = await target.table.client.send(
      new DeleteItemCommand({
        TableName: target.table.name,
        Key: { pk: { S: key.pk }, sk: { S: key.sk } },
        ...condition,
        ReturnValues: 'ALL_OLD',
      }),
    );
    await dropParts(target, key, answer.Attributes ?? null);
  } catch (error) {
    // Refused: somebody else has spoken since.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

type Found = EdgeInScope & { readonly detail: EdgeDetail };

async function read({ table, meter }: Target, keys: readonly Key[]): Promise<Found[]> {
  return foundIn({ table, meter }, await batchGet(table, keys, meter ? { meter } : {}));
}

async function readRange(target: Target, workspace: WorkspaceId, { first, last }: NodeRange): Promise<Found[]> {
  const items: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    // Parts are read by those who find that they need them.
    FilterExpression: 'attribute_not_exists(#part)',
    ExpressionAttributeNames: { '#part': 'part' },
    ExpressionAttributeValues: {
      ':pk': { S: edgeDetailShard(workspace, shardOf(first)) },
      ':first': { S: first },
      ':last': { S: pastNode(last) },
    },
  };
  for await (const item of queryAll(target.table, query)) items.push(item);
  return foundIn(target, items);
}

async function foundIn(target: Target, items: readonly Item[]): Promise<Found[]> {
  const found = await inParallel(inFlight, items, async (item): Promise<Found[]> => {
    const [to, from, scope] = splitSortKey(item['sk']?.S ?? '');
    const detail = await detailOf(target, item);
    return detail ? [{ from, to, scope, detail }] : [];
  });
  return found.flat();
}

/** Null where it was forgotten since its item was read. */
async function detailOf(target: Target, read: Item): Promise<EdgeDetail | null> {
  const key = { pk: read['pk']?.S ?? '', sk: read['sk']?.S ?? '' };
  let item: Item | undefined = read;
  for (let look = 0; item && look < looks; look++) {
    const version = item['version']?.S;
    if (version === undefined) return unpack(item['m']) as EdgeDetail;
    const bytes = await readParts(target, Number(item['parts']?.N), (part) => edgeDetailPartKey(key, version, part));
    if (bytes) return unpack({ B: bytes }) as EdgeDetail;
    [item] = await batchGet(target.table, [key], { consistent: true });
  }
  if (item) throw new Error('an edge detail changes faster than it can be read');
  return null;
}

const splitSortKey = (sk: string): [NodeId, NodeId, ScopeId] => [
  sk.slice(0, nodeIdLength) as NodeId,
  sk.slice(nodeIdLength + 1, 2 * nodeIdLength + 1) as NodeId,
  sk.slice(2 * nodeIdLength + 2) as ScopeId,
];
