import type { WorkspaceId } from '../../../contract/ids.ts';
import { pageNumber, type Side } from '../../../domain/graph/claim.ts';
import type { NodeId } from '../../../domain/graph/ids.ts';
import { batchGet } from '../batch-get.ts';
import { pageKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { attribute } from './page-codec.ts';

/** The pages on which claims about a neighbour may stand: one a level, because nothing moves when a node widens. */
export const pagesOfNeighbour = (level: number, other: NodeId): number[] =>
  Array.from({ length: level + 1 }, (_, one) => pageNumber(one, other));

/** The levels of nodes on one side, read consistently; a node without a page 0 is left out. */
export async function levelsOf(
  table: Table,
  workspace: WorkspaceId,
  side: Side,
  nodes: readonly NodeId[],
): Promise<Map<NodeId, number>> {
  const keys = nodes.map((node) => pageKey(workspace, side, node, 0));
  const items = await batchGet(table, keys, { consistent: true, attributes: ['sk', attribute.level] });
  return new Map(
    items.map((item) => [(item['sk']?.S ?? '').split('#')[0] as NodeId, Number(item[attribute.level]?.N ?? 0)]),
  );
}
