import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Side } from '../../../domain/graph/claim.ts';
import { type NodeId, nodeId, type ScopeId } from '../../../domain/graph/ids.ts';
import type { Edge, Span } from '../../../domain/graph/ports.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { type Key, pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { attribute, pageOf } from './page-codec.ts';
import { levelsOf, pagesOfNeighbour } from './pages-of-claim.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };

/** Narrows the registers of one (edge, scope) on both sides to `left`; false where a register changed since it was read. */
export async function withdrawObservation(
  writer: Writer,
  workspace: WorkspaceId,
  { scope, edge, left }: { readonly scope: ScopeId; readonly edge: Edge; readonly left: Span | null },
): Promise<boolean> {
  const [from, to] = [nodeId(edge.from), nodeId(edge.to)];
  const sides = await Promise.all([
    narrow(writer, workspace, 'out', from, to, scope, left),
    narrow(writer, workspace, 'in', to, from, scope, left),
  ]);
  return sides.every(Boolean);
}

/** The edges that a scope has observed, as their upstream ends' pages say. */
export async function observedSpans(
  { table }: Writer,
  workspace: WorkspaceId,
  scope: ScopeId,
  edges: readonly Edge[],
): Promise<{ edge: Edge; span: Span }[]> {
  const levels = await levelsOf(table, workspace, [...new Set(edges.map(({ from }) => nodeId(from)))]);
  const pages = new Map(
    edges.flatMap(({ from, to }) => {
      const level = levels.get(nodeId(from))?.out;
      if (level === undefined) return [];
      const keys = pagesOfNeighbour(level, nodeId(to)).map((page) => pageKey(workspace, 'out', nodeId(from), page));
      return keys.map((key) => [`${key.pk} ${key.sk}`, key] as const);
    }),
  );
  const items = await batchGet(table, [...pages.values()], { consistent: true });
  const claims = items
    .map((item) => pageOf('out', item))
    .flatMap((page) => page.claims.map((claim) => ({ page, claim })));
  return edges.flatMap((edge) => {
    const spans = claims.flatMap(({ page, claim }) =>
      claim.kind === 'observed' &&
      claim.scope === scope &&
      page.node === nodeId(edge.from) &&
      claim.other === nodeId(edge.to)
        ? [claim]
        : [],
    );
    const [first, last] = [
      spans.map((one) => one.first).sort()[0],
      spans
        .map((one) => one.last)
        .sort()
        .at(-1),
    ];
    return first && last ? [{ edge, span: { first, last } }] : [];
  });
}

async function narrow(
  writer: Writer,
  workspace: WorkspaceId,
  side: Side,
  node: NodeId,
  other: NodeId,
  scope: ScopeId,
  left: Span | null,
): Promise<boolean> {
  const level = (await levelsOf(writer.table, workspace, [node])).get(node)?.[side];
  if (level === undefined) return true;
  const keys = pagesOfNeighbour(level, other).map((page) => pageKey(workspace, side, node, page));
  const items = await batchGet(writer.table, keys, { consistent: true });
  const [l, f] = [attribute.last(side, other, scope), attribute.first(side, other, scope)];
  const holding = items.filter((item) => item[l] !== undefined);
  const done = await Promise.all(
    // What is left is said once, on the first page that holds a register; the others only lose theirs.
    holding.map((item, i) => narrowPage(writer, item, l, f, i === 0 ? left : null)),
  );
  return done.every(Boolean);
}

async function narrowPage(writer: Writer, item: Item, l: string, f: string, left: Span | null): Promise<boolean> {
  const [last, first] = [item[l], item[f] ?? item[l]];
  if (!last || !first) return true;
  const key: Key = { pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' };
  const answer = await updateItem(writer, key, {
    UpdateExpression: left ? 'SET w = :w, #l = :newLast, #f = :newFirst' : 'SET w = :w REMOVE #l, #f',
    ConditionExpression: '#l = :last AND #f = :first',
    ExpressionAttributeNames: { '#l': l, '#f': f },
    ExpressionAttributeValues: {
      ':w': written(),
      ':last': last,
      ':first': first,
      ...(left && {
        ':newLast': { N: BigInt(left.last).toString() },
        ':newFirst': { N: BigInt(left.first).toString() },
      }),
    },
  });
  return answer.refused === null;
}
