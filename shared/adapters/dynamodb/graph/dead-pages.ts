import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Side } from '../../../domain/graph/claim.ts';
import type { NodeId } from '../../../domain/graph/ids.ts';
import type { DeadClaims } from '../../../domain/graph/ports.ts';
import { coldPageKey, type Key, pageKey } from '../keys.ts';
import type { Table } from '../table.ts';
import { levelsOf, pagesOfNeighbour } from './pages-of-claim.ts';

/** A page on which claims of a dead order may stand, and the page of its history. */
export type DeadPage = { readonly hot: Key; readonly cold: Key };

/** The pages of one side on which the claims of a dead order may stand. */
export async function pagesOfDead(
  table: Table,
  workspace: WorkspaceId,
  side: Side,
  { edges }: DeadClaims,
): Promise<DeadPage[]> {
  const nodes = Map.groupBy(edges, ({ from, to }) => (side === 'out' ? from : to));
  const levels = await levelsOf(table, workspace, [...nodes.keys()]);
  return [...levels].flatMap(([node, level]) => {
    const others = (nodes.get(node) ?? []).map(({ from, to }): NodeId => (side === 'out' ? to : from));
    const numbers = new Set(others.flatMap((other) => pagesOfNeighbour(level[side], other)));
    return [...numbers].map((number) => ({
      hot: pageKey(workspace, side, node, number),
      cold: coldPageKey(workspace, side, node, number),
    }));
  });
}
