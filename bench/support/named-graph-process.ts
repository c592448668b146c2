import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { indexedColumn } from '../../shared/domain/lineage/graph/name-parts.ts';
import { graphOf, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { benchGraph } from './bench-graph.ts';
import { columnNames } from './realistic-graph.ts';
import { passedOn } from './state-edges.ts';

/**
 * Grows a layered graph whose relations have names and columns to be found by, to as many domains as each message says.
 * Apart from who measures: what the writers remember of a graph would be collected during every search.
 */
const [workspace, connector] = process.argv.slice(2) as [WorkspaceId, ConnectorId];
const { writers, graph } = benchGraph(workspace, connector);

process.on('message', async (domains: number) => {
  while (graph.domains() < domains) await growNamed();
  process.send?.(graph.domains());
});

/** What jobs observed is written without names by the bulk. */
async function growNamed(): Promise<void> {
  const domain = graph.domains();
  await graph.grow((relation) => passedOn(columnNames(relation)));
  const nodes = Array.from({ length: 1_000 }, (_, i) => ({
    kind: 'relation' as const,
    connectorId: connector,
    ref: graph.refOf(domain, Math.floor(i / 100), i % 100),
  }));
  const columnsOf = (urn: Urn) => new Set(columnNames(urn).map(indexedColumn));
  const columns = new Map(nodes.map(urnOf).map((urn) => [urn, columnsOf(urn)]));
  await writers.directory.add(graphOf(workspace, 0), nodes, columns);
}
