import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { benchGraph } from './bench-graph.ts';

/**
 * Grows a layered graph whose relations have names to be found by, to as many domains as each message says. Apart from
 * who measures: what the writers remember of a graph would be collected during every search.
 */
const [workspace, connector] = process.argv.slice(2) as [WorkspaceId, ConnectorId];
const { writers, bulk, graph } = benchGraph(workspace, connector);

process.on('message', async (domains: number) => {
  while (graph.domains() < domains) await growNamed();
  await bulk.flush();
  process.send?.(graph.domains());
});

/** What jobs observed is written without names by the bulk. */
async function growNamed(): Promise<void> {
  const domain = graph.domains();
  await graph.grow();
  const refs = Array.from({ length: 1_000 }, (_, i) => graph.refOf(domain, Math.floor(i / 100), i % 100));
  await writers.directory.add(
    workspace,
    refs.map((ref) => ({ kind: 'relation', connectorId: connector, ref })),
  );
}
