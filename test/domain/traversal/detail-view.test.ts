import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import type { ClaimedEdge, EdgeDetail, EdgeInScope } from '../../../shared/domain/lineage/graph/derivation.ts';
import { type GraphId, graphOf, type NodeId, type ScopeId } from '../../../shared/domain/lineage/graph/node.ts';
import { zeroOrder } from '../../../shared/domain/lineage/graph/order.ts';
import { detailView } from '../../../shared/domain/lineage/traversal/detail-view.ts';
import type { GraphView } from '../../../shared/domain/lineage/traversal/graph-view.ts';

const ends = { to: 'to' as NodeId, scope: 's' as ScopeId, order: zeroOrder };
const edge = (from: string): ClaimedEdge => ({ ...ends, from: from as NodeId });
const view = {
  context: { graph: graphOf('w' as WorkspaceId, 0) },
  asOf: null,
  columns: { load: async () => {} },
  nodes: { urnOf: () => undefined },
} as unknown as GraphView<'details'>;

it('reads each detail once, both directions of a walk together, and finds it for anyone who names the edge again', async () => {
  const read: string[][] = [];
  const store = {
    get: async (_: GraphId, edges: readonly EdgeInScope[]) => {
      read.push(edges.map(({ from }) => from));
      const stated = edges.filter(({ from }) => from !== 'silent');
      return stated.map((one) => ({
        ...one,
        order: zeroOrder,
        detail: { location: one.from, columns: [], unresolved: [] } as unknown as EdgeDetail,
      }));
    },
  };
  const details = detailView({ ...view, reader: { ...view.reader, details: { ...view.reader?.details, ...store } } });
  await Promise.all([details.load([edge('a'), edge('silent')]), details.load([edge('b'), edge('a')])]);
  const requested = [edge('a'), edge('silent'), edge('c')];
  const found = await details.of(requested);
  expect(read).toEqual([['a', 'silent', 'b'], ['c']]);
  expect(requested.map((one) => found.get(one)?.location)).toEqual(['a', undefined, 'c']);
});
