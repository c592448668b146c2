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
      return completed(
        view,
        edges.flatMap((edge) => {
          const found = details.get(edgeInScopeName(edge));
          return found ? [[edge, found] as const] : [];
        }),
      );
    },
  };
}

async function completed(
  view: GraphView,
  stated: readonly (readonly [ClaimedEdge, FoundDetail])[],
): Promise<ReadonlyMap<EdgeInScope, EdgeDetail>> {
  const seen = await detailsSeen(
    view,
    stated.map(([edge]) => edge),
    stated.map(([, found]) => found),
  );
  await view.columns.load(seen.flatMap(({ detail }) => relationsOpenIn(detail)));
  return new Map(
    stated.flatMap(([edge], i) => {
      const one = seen[i];
      return one ? [[edge, completedDetail(view, edge, one.detail)]] : [];
    }),
  );
}
