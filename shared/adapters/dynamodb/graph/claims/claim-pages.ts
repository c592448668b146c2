import {
  isWide,
  type PageSide,
  pagesOfNeighbour,
  type Side,
  schemaPage,
} from '../../../../domain/lineage/graph/claim.ts';
import type { RetiredClaims } from '../../../../domain/lineage/graph/claim-writer.ts';
import { type NodeId, nodeIdLength } from '../../../../domain/lineage/graph/node.ts';
import { historyPageKey, nodeKey, pageKey } from '../../keys/graph-keys.ts';
import { type Key, keyName } from '../../keys/registry-keys.ts';
import { batchGet } from '../../requests/items.ts';
import { attribute, levelOf } from '../codec.ts';
import type { GraphWriter } from './levels.ts';

type GraphPlace = Pick<GraphWriter, 'table' | 'graph'>;

export const pageSides: readonly PageSide[] = ['out', 'in', 'schema'];

/** The levels of nodes on both sides, read consistently; a node that is not there is left out. */
export async function levelsOf(
  { table, graph }: GraphPlace,
  nodes: readonly NodeId[],
): Promise<Map<NodeId, Readonly<Record<Side, number>>>> {
  const keys = nodes.map((node) => nodeKey(graph, node));
  const names = ['sk', attribute.level('out'), attribute.level('in')];
  const items = await batchGet(table, keys, { consistent: true, attributes: names });
  return new Map(
    items.map((item) => [
      (item['sk']?.S ?? '').slice(0, nodeIdLength) as NodeId,
      { out: levelOf('out', item), in: levelOf('in', item) },
    ]),
  );
}

/** A page on which claims of a retired order may be, and the page of its history. */
export type RetiredPage = { readonly current: Key; readonly history: Key };

/** The same of all the sides that may claim there: page 0 of all is one item. */
export type SharedPage = RetiredPage & { readonly sides: readonly PageSide[] };

export async function pagesOfRetired(
  writer: GraphPlace,
  retired: Pick<RetiredClaims, 'edges' | 'described'>,
): Promise<SharedPage[]> {
  const found = new Map<string, SharedPage>();
  for (const side of pageSides)
    for (const page of await pagesOfSide(writer, side, retired)) {
      const { sides = [] } = found.get(keyName(page.current)) ?? {};
      found.set(keyName(page.current), { ...page, sides: [...sides, side] });
    }
  return [...found.values()];
}

async function pagesOfSide(
  writer: GraphPlace,
  side: PageSide,
  { edges, described }: Pick<RetiredClaims, 'edges' | 'described'>,
): Promise<RetiredPage[]> {
  if (side === 'schema') return pagesOfSchemas(writer, described);
  const nodes = Map.groupBy(edges, ({ from, to }) => (side === 'out' ? from : to));
  const levels = await levelsOf(writer, [...nodes.keys()]);
  return [...levels].flatMap(([node, level]) => {
    const others = (nodes.get(node) ?? []).map(({ from, to }): NodeId => (side === 'out' ? to : from));
    const numbers = new Set(others.flatMap((other) => pagesOfNeighbour(level[side], other)));
    return [...numbers].map((number) => retiredPage(writer, side, node, number));
  });
}

async function pagesOfSchemas(writer: GraphPlace, nodes: readonly NodeId[]): Promise<RetiredPage[]> {
  const levels = await levelsOf(writer, nodes);
  return [...levels].flatMap(([node, level]) =>
    (isWide(level) ? [0, schemaPage] : [0]).map((number) => retiredPage(writer, 'schema', node, number)),
  );
}

export const retiredPage = (
  { graph }: Pick<GraphPlace, 'graph'>,
  side: PageSide,
  node: NodeId,
  number: number,
): RetiredPage => ({
  current: pageKey(graph, side, node, number),
  history: historyPageKey(graph, side, node, number),
});
