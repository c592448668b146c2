import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { lruCache } from '../../base/caching.ts';
import { type NodeId, nodeId, nodeOf, type Urn } from '../../lineage/graph/node.ts';
import type { Touched } from '../../lineage/projection/touched-nodes.ts';
import { neighbourhoodsOf } from '../../lineage/queries/relations/neighbourhood.ts';
import { type BareQuery, graphView } from '../../lineage/traversal/graph-view.ts';
import { currentName } from '../../lineage/traversal/names.ts';
import { leastAge, type SeenTable, type SummaryStore } from './summary.ts';

const nodesPerRead = 500;

const observationsRemembered = 20_000;
/** How long this process takes an observation as counted. A retraction by another process meanwhile is not seen here. */
const countedForMs = 86_400_000;

/** Keeps the count of tables and their neighbours. An observation that this process has counted is not read again. */
export function touchedNotes() {
  const counted = lruCache<string, number>(observationsRemembered);
  const learnt = lruCache<string, number>(1_000);
  return async (
    { summaries, ...query }: BareQuery & { readonly summaries: Pick<SummaryStore, 'update'> },
    workspace: WorkspaceId,
    touched: Touched,
    at: string,
  ): Promise<void> => {
    const names = [...touched.observed].map((name) => `${query.context.graph} ${name}`);
    const now = Date.parse(at);
    const isFresh = (name: string) => now - (counted.get(name) ?? 0) < countedForMs;
    const isCounted = touched.onlyObserved && names.every(isFresh);
    const tables = isCounted ? [] : await tablesTouched(query, [...touched.nodes.keys()]);
    const seen = Map.groupBy(tables, ({ connector }) => connector);
    for (const connector of new Set([...seen.keys(), ...connectorsOf(touched)])) {
      const name = `${workspace} ${connector}`;
      const isRecent = now - (learnt.get(name) ?? 0) < leastAge;
      if (isRecent && !seen.has(connector)) continue;
      await summaries.update(workspace, connector, {
        seen: seen.get(connector)?.map(({ table }) => table) ?? [],
        at,
      });
      learnt.set(name, now);
    }
    for (const name of isCounted ? [] : names) counted.set(name, now);
  };
}

const connectorsOf = ({ nodes }: Touched): ConnectorId[] =>
  [...nodes.values()].flatMap((urn) => {
    const node = urn === null ? null : nodeOf(urn);
    return node?.kind === 'relation' ? [node.connectorId] : [];
  });

async function tablesTouched(query: BareQuery, nodes: readonly NodeId[]): Promise<TableOfConnector[]> {
  const found: TableOfConnector[] = [];
  for (let from = 0; from < nodes.length; from += nodesPerRead)
    found.push(...(await tablesOf(query, nodes.slice(from, from + nodesPerRead))));
  return found;
}

type TableOfConnector = { readonly connector: ConnectorId; readonly table: SeenTable };

/** The tables that nodes are, and those whose other names they are: the edges stand under the current one. */
async function tablesOf(query: BareQuery, nodes: readonly NodeId[]): Promise<TableOfConnector[]> {
  const view = graphView(query, null);
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
