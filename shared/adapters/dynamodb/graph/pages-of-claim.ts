import type { WorkspaceId } from '../../../contract/ids.ts';
import { pageNumber, type Side } from '../../../domain/graph/claim.ts';
import { type NodeId, nodeIdLength } from '../../../domain/graph/ids.ts';
import { batchGet } from '../batch-get.ts';
import { nodeKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { attribute, levelOf } from './page-codec.ts';

/** The pages on which claims about a neighbour may stand: one a level, because nothing moves when a node widens. */
export const pagesOfNeighbour = (level: number, other: NodeId): number[] =>
  Array.from({ length: level + 1 }, (_, one) => pageNumber(one, other));

/** The levels of nodes on both sides, read consistently; a node that is not there is left out. */
export async function levelsOf(
  table: Table,
  workspace: WorkspaceId,
  nodes: readonly NodeId[],
): Promise<Map<NodeId, Readonly<Record<Side, number>>>> {
  const keys = nodes.map((node) => nodeKey(workspace, node));
  const names = ['sk', attribute.level('out'), attribute.level('in')];
  const items = await batchGet(table, keys, { consistent: true, attributes: names });
  return new Map(
    items.map((item) => [
      (item['sk']?.S ?? '').slice(0, nodeIdLength) as NodeId,
      { out: levelOf('out', item), in: levelOf('in', item) },
    ]),
  );
}
