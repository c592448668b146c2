import type { WorkspaceId } from '../../contract/ids.ts';
import {
  type ClaimedEdge,
  type DetailStore,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type FoundDetail,
} from '../graph/detail-store.ts';
import { completedDetail, relationsOpenIn } from './complete-detail.ts';
import { detailsSeen } from './details-seen.ts';
import type { GraphView } from './graph-view.ts';
import { loadOnce } from './load-once.ts';

/** What is stated of edges beyond their existence, each read at most once. */
type DetailView = {
  readonly load: (edges: readonly EdgeInScope[]) => Promise<void>;
  /**
   * What is stated of edges whose ends are named, with what schemas tell of it, by the edges that were handed over;
   * without those of which their source stated nothing more.
   */
  readonly of: (edges: readonly ClaimedEdge[]) => Promise<ReadonlyMap<EdgeInScope, EdgeDetail>>;
};

/** Of questions that need none. */
export const noDetails: DetailView = { load: async () => {}, of: async () => new Map() };

export function detailView(store: Pick<DetailStore, 'get'>, view: GraphView, workspace: WorkspaceId): DetailView {
  const details = new Map<string, FoundDetail>();
  const read = new Set<EdgeInScope>();
  const load = loadOnce<EdgeInScope>(
    (edge) => read.has(edge),
    async (edges) => {
      for (const one of await store.get(workspace, edges)) details.set(edgeInScopeName(one), one);
      for (const edge of edges) read.add(edge);
    },
    edgeInScopeName,
  );
  return {
    load,
    of: async (edges) => {
      await load(edges);
      const stated: Stated = { edges: [], found: [] };
      for (const edge of edges) {
        const found = details.get(edgeInScopeName(edge));
        if (!found) continue;
        stated.edges.push(edge);
        stated.found.push(found);
      }
      return completed(view, stated);
    },
  };
}

/** The edges of which something is stated, and beside each what that is. */
type Stated = { readonly edges: ClaimedEdge[]; readonly found: FoundDetail[] };

async function completed(view: GraphView, { edges, found }: Stated): Promise<ReadonlyMap<EdgeInScope, EdgeDetail>> {
  const seen = await detailsSeen(view, edges, found);
  await view.columns.load(seen.flatMap(({ detail }) => relationsOpenIn(detail)));
  const details = new Map<EdgeInScope, EdgeDetail>();
  for (const [i, edge] of edges.entries()) {
    const one = seen[i];
    if (one) details.set(edge, completedDetail(view, edge, one.detail));
  }
  return details;
}
