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

/** A page on which claims of a retired order may be, and the page of its history: page 0 of all sides is one item. */
export type RetiredPage = { readonly current: Key; readonly history: Key; readonly sides: readonly PageSide[] };

export async function pagesOfRetired(
  writer: GraphPlace,
  { edges, described }: Pick<RetiredClaims, 'edges' | 'described'>,
): Promise<RetiredPage[]> {
  const found = new Map<string, RetiredPage>();
  // The pages of schemas do not depend on the schemas.
  const ends = {
    out: edges.map(({ from, to }) => ({ node: from, other: to })),
    in: edges.map(({ from, to }) => ({ node: to, other: from })),
    schema: described.map((node) => ({ node, other: node })),
  };
  for (const side of pageSides) {
    const byNode = Map.groupBy(ends[side], ({ node }) => node);
    for (const [node, levels] of await levelsOf(writer, [...byNode.keys()])) {
      const numbers = (byNode.get(node) ?? []).flatMap(({ other }) => {
        if (side === 'schema') return isWide(levels) ? [0, schemaPage] : [0];
        return pagesOfNeighbour(levels[side], other);
      });
      for (const number of new Set(numbers)) {
        const current = pageKey(writer.graph, side, node, number);
        const { sides = [] } = found.get(keyName(current)) ?? {};
        const history = historyPageKey(writer.graph, side, node, number);
        found.set(keyName(current), { current, history, sides: [...sides, side] });
      }
    }
  }
  return [...found.values()];
}
