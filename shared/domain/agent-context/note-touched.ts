import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { type NodeId, nodeId } from '../graph/ids.ts';
import { nodeOf, type Urn } from '../graph/node.ts';
import { neighbourhoodsOf } from '../queries/relations/neighbourhood.ts';
import { type GraphPorts, graphView } from '../traversal/graph-view.ts';
import { currentName } from '../traversal/names.ts';
import type { SeenTable, SummaryStore } from './summary.ts';

const nodesPerRead = 500;

type NotePorts = GraphPorts & { readonly summaries: Pick<SummaryStore, 'update'> };

/** Keeps count of the tables that a projection touched, and of how connected they are now. */
export async function noteTouched(
  ports: NotePorts,
  workspace: WorkspaceId,
  nodes: readonly NodeId[],
  at: string,
): Promise<void> {
  const seen = new Map<ConnectorId, SeenTable[]>();
  for (let from = 0; from < nodes.length; from += nodesPerRead) {
    for (const { connector, table } of await tablesOf(ports, workspace, nodes.slice(from, from + nodesPerRead)))
      seen.set(connector, [...(seen.get(connector) ?? []), table]);
  }
  for (const [connector, tables] of seen) await ports.summaries.update(workspace, connector, { seen: tables, at });
}

type TableOfConnector = { readonly connector: ConnectorId; readonly table: SeenTable };

/** The tables that nodes are, and those whose other names they are: the edges stand under the current one. */
async function tablesOf(
  ports: GraphPorts,
  workspace: WorkspaceId,
  nodes: readonly NodeId[],
): Promise<TableOfConnector[]> {
  const view = graphView(ports, workspace, null);
  await view.nodes.load(nodes);
  const urns = nodes.flatMap((node) => view.nodes.urnOf(node) ?? []);
  const current = urns.map((urn) => currentName(urn, null, view.nodes.factsOf));
  const all: readonly Urn[] = [...new Set([...urns, ...current])];
  return [...(await neighbourhoodsOf(view, all, 0))].flatMap(([urn, { counts }]) => {
    const node = nodeOf(urn);
    if (node.kind !== 'relation') return [];
    return [
      { connector: node.connectorId, table: { node: nodeId(urn), ref: node.ref, degree: counts.in + counts.out } },
    ];
  });
}
