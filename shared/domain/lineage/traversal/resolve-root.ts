import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ResolutionMethod } from '../../../contract/vocabulary.ts';
import { nodeId } from '../graph/ids.ts';
import { type Urn, urnOf } from '../graph/node.ts';
import type { Connector } from '../names/connector.ts';
import { matchSuffix, type ReferencePlan, referencePlan } from '../names/resolve-reference.ts';
import type { GraphView } from './graph-view.ts';
import { currentName, loadNameChains } from './names.ts';
import type { TraversalPorts } from './ports.ts';

/** What a user's reference was found to mean: C-IDENTITY-11. */
export type ResolvedRoot = {
  /** Null where nothing in the graph is meant. */
  readonly urn: Urn | null;
  readonly method: ResolutionMethod;
  readonly fallbackReason: string | null;
  /** Of an ambiguous reference: the relations whose names end in it. */
  readonly among?: readonly Urn[];
};

const reasons: Readonly<Record<Exclude<ResolutionMethod, 'unresolved'>, string | null>> = {
  exact: null,
  case_folded: 'case_differs',
  default_qualified: 'leading_parts_missing',
  unique_suffix: 'leading_parts_missing',
  alias: 'named_by_alias',
};

const unresolved = (fallbackReason: string): ResolvedRoot => ({ urn: null, method: 'unresolved', fallbackReason });
const resolved = (urn: Urn, method: Exclude<ResolutionMethod, 'unresolved'>): ResolvedRoot => ({
  urn,
  method,
  fallbackReason: reasons[method],
});

/** Finds the relation that a question starts from: the best candidate that is in the graph, else a unique suffix. */
export async function resolveRoot(
  ports: TraversalPorts,
  view: GraphView,
  connector: Connector,
  { workspace, relationRef }: { readonly workspace: WorkspaceId; readonly relationRef: string },
): Promise<ResolvedRoot> {
  const plan = referencePlan([...ports.connectors.values()], connector, relationRef);
  const found = await firstInGraph(view, plan);
  if (found) return found;
  if (!plan.suffix) return unresolved('not_in_graph');
  const entries = await ports.directory.named(workspace, connector.id, plan.suffix.table);
  const refs = entries.map(({ ref }) => ref);
  const match = matchSuffix(connector, plan.suffix, await refsInGraph(view, connector, refs));
  const named = (ref: string) =>
    currentName(urnOf({ kind: 'relation', connectorId: connector.id, ref }), null, view.nodes.factsOf);
  if (match.kind === 'ambiguous') return { ...unresolved('ambiguous'), among: [...new Set(match.refs.map(named))] };
  if (match.kind === 'none') return unresolved('not_in_graph');
  return resolved(named(match.ref), match.method === 'exact' ? 'exact' : match.method);
}

async function firstInGraph(view: GraphView, { candidates }: ReferencePlan): Promise<ResolvedRoot | null> {
  await loadNames(
    view,
    candidates.map(({ node }) => urnOf(node)),
  );
  for (const { node, method } of candidates) {
    const urn = urnOf(node);
    if (!isInGraph(view, urn)) continue;
    const shown = currentName(urn, null, view.nodes.factsOf);
    return resolved(shown, shown === urn ? method : 'alias');
  }
  return null;
}

/** A directory entry may outlive its relation: only what has a page is in the graph. */
async function refsInGraph(view: GraphView, connector: Connector, refs: readonly string[]): Promise<string[]> {
  const urns = new Map(refs.map((ref) => [ref, urnOf({ kind: 'relation', connectorId: connector.id, ref })]));
  await loadNames(view, [...urns.values()]);
  return [...urns].filter(([, urn]) => isInGraph(view, urn)).map(([ref]) => ref);
}

async function loadNames(view: GraphView, urns: readonly Urn[]): Promise<void> {
  await view.nodes.load(urns.map(nodeId));
  await loadNameChains(view, urns);
}
const isInGraph = (view: GraphView, urn: Urn) => view.nodes.urnOf(nodeId(urn)) !== undefined;
