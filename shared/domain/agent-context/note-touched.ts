import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { NodeId } from '../graph/ids.ts';
import { nodeOf } from '../graph/node.ts';
import type { PageReader } from '../graph/ports.ts';
import { type SeenTable, type SummaryStore, summaryOf } from './summary.ts';

const nodesPerRead = 500;

/** Keeps count of the tables that a projection touched, and of how connected they are now. */
export async function noteTouched(
  { pages, summaries }: { readonly pages: Pick<PageReader, 'nodes'>; readonly summaries: SummaryStore },
  workspace: WorkspaceId,
  nodes: readonly NodeId[],
  at: string,
): Promise<void> {
  const seen = new Map<ConnectorId, SeenTable[]>();
  for (let from = 0; from < nodes.length; from += nodesPerRead) {
    for (const one of await pages.nodes(workspace, nodes.slice(from, from + nodesPerRead))) {
      const node = nodeOf(one.urn);
      if (node.kind !== 'relation') continue;
      const degree = new Set([...one.pages.in.claims, ...one.pages.out.claims].map(({ other }) => other)).size;
      const wide = (2 ** one.levels.in + 2 ** one.levels.out - 2) * 60;
      if (degree + wide === 0) continue;
      seen.set(node.connectorId, [
        ...(seen.get(node.connectorId) ?? []),
        { node: one.node, ref: node.ref, degree: degree + wide },
      ]);
    }
  }
  for (const [connector, tables] of seen) await summaries.merge(workspace, connector, summaryOf(tables, at));
}
