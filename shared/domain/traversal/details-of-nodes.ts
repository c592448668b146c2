import type { DetailStore } from '../graph/detail-store.ts';
import type { NodeRange } from '../graph/page-reader.ts';

/** The details of the edges to nodes that were scanned together: they lie together, but for those under other names of the nodes. */
export const detailsOfNodes = (
  details: Pick<DetailStore, 'get' | 'ofNodes'>,
  nodes: NodeRange,
): Pick<DetailStore, 'get'> => ({
  get: async (workspace, edges) => {
    const elsewhere = edges.filter(({ to }) => to < nodes.first || to > nodes.last);
    const found = [details.ofNodes(workspace, nodes), details.get(workspace, elsewhere)];
    return (await Promise.all(found)).flat();
  },
});
