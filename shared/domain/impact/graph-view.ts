import type { WorkspaceId } from '../../contract/ids.ts';
import { type NodeFacts, noFacts, type Page, pageCount, pageNumber, type Side } from '../graph/claim.ts';
import type { NodeId, ScopeId } from '../graph/ids.ts';
import { type Micros, microsOfIso, zeroOrder } from '../graph/order.ts';
import type { ColdNode, GraphNode, PageReader, ScopeHead, ScopeIdentity, ScopeStore } from '../graph/ports.ts';
import { inParallel } from '../in-parallel.ts';
import type { Urn } from '../lineage/node.ts';
import { type ScopeView, settledView, viewAt, viewNow } from './liveness.ts';
import { onceEach } from './once-each.ts';
import type { NodeName, ViewMemory } from './view-memory.ts';

export type GraphPorts = {
  readonly pages: PageReader;
  readonly scopes: Pick<ScopeStore, 'heads' | 'history'>;
};

/** One request's view of the graph at one time: every node, page and head is read at most once. */
export type GraphView = {
  readonly asOf: string | null;
  /** Observations that began later are not seen; null: all are. */
  readonly observedUntil: Micros | null;
  readonly loadNodes: (nodes: readonly NodeId[]) => Promise<void>;
  /** Makes the nodes' names known, where their claims are not wanted: whoever walks on will want them. */
  readonly loadNames: (nodes: readonly NodeId[]) => Promise<void>;
  /** Takes nodes, and the history beside them, that were read otherwise. */
  readonly seed: (found: readonly GraphNode[], cold: readonly ColdNode[]) => void;
  /** Makes the floors of snapshot and static scopes known. */
  readonly loadScopes: (scopes: Iterable<ScopeId>) => Promise<void>;
  /** Makes known who observed scopes are: most names came with the nodes that they write. */
  readonly loadObservers: (scopes: Iterable<ScopeId>) => Promise<void>;
  readonly urnOf: (node: NodeId) => Urn | undefined;
  readonly factsOf: (urn: Urn) => NodeFacts | undefined;
  readonly firstPage: (side: Side, node: NodeId) => Page | undefined;
  /** The numbers of a wide node's further pages: all of them, or those that may hold claims of some neighbours. */
  readonly furtherPages: (side: Side, node: NodeId, neighbours: ReadonlySet<NodeId> | null) => number[];
  readonly loadFurther: (side: Side, pages: readonly PageRef[]) => Promise<Page[]>;
  readonly scope: (scope: ScopeId) => ScopeView | undefined;
};

export type PageRef = { readonly node: NodeId; readonly number: number };

const historiesInFlight = 16;

/** @param asOf null: as it stands. An export pins what was recorded by then, whatever times its events carry. */
export function graphView(
  ports: GraphPorts,
  workspace: WorkspaceId,
  asOf: string | null,
  { cutObserved = true, memory }: { readonly cutObserved?: boolean; readonly memory?: ViewMemory } = {},
): GraphView {
  const nodes = new Map<NodeId, GraphNode>();
  const urns = new Map<NodeId, Urn>();
  const facts = new Map<Urn, NodeFacts>();
  const scopes = new Map<ScopeId, ScopeView>();

  const know = (node: NodeId, { urn, facts: known }: NodeName) => {
    urns.set(node, urn);
    if (known !== noFacts) facts.set(urn, known);
  };
  const seed = (found: readonly GraphNode[], cold: readonly ColdNode[]) => {
    for (const one of withHistory(found, cold)) {
      nodes.set(one.node, one);
      know(one.node, one);
      memory?.names.set(one.node, { urn: one.urn, facts: one.facts });
      for (const observer of one.observers) scopes.set(observer.scope, viewNow(observedHead(observer)));
    }
  };
  const loadNodes = onceEach<NodeId>(
    (node) => nodes.has(node),
    async (missing) => {
      const found = await ports.pages.nodes(workspace, missing);
      seed(found, asOf === null ? [] : await ports.pages.coldNodes(workspace, missing));
    },
  );
  const isNamed = (node: NodeId) => {
    const name = urns.has(node) ? undefined : memory?.names.get(node);
    if (name) know(node, name);
    return urns.has(node);
  };
  const loadNames = onceEach<NodeId>(isNamed, async (missing) => {
    for (const { node, urn, facts } of await ports.pages.names(workspace, missing)) {
      know(node, { urn, facts });
      memory?.names.set(node, { urn, facts });
    }
  });
  const isKnownScope = (scope: ScopeId) => {
    const view = scopes.has(scope) ? undefined : memory?.scopes.get(scope);
    if (view) scopes.set(scope, view);
    return scopes.has(scope);
  };
  const keepScope = (scope: ScopeId, view: ScopeView | null) => {
    if (!view) return;
    scopes.set(scope, view);
    memory?.scopes.set(scope, view);
  };

  return {
    asOf,
    observedUntil: asOf !== null && cutObserved ? microsOfIso(asOf) : null,
    seed,
    loadNodes,
    loadNames: memory ? loadNames : loadNodes,
    loadScopes: onceEach<ScopeId>(isKnownScope, async (missing) => {
      // Consistent for a moment: a head that is moments late would pass for one that has not moved since.
      const heads = await ports.scopes.heads(workspace, missing, { consistent: asOf !== null });
      await inParallel(historiesInFlight, heads, async (head) =>
        keepScope(head.scope, await viewOf(ports, workspace, head, asOf)),
      );
    }),
    loadObservers: onceEach<ScopeId>(isKnownScope, async (missing) => {
      for (const head of await ports.scopes.heads(workspace, missing)) keepScope(head.scope, viewNow(head));
    }),
    urnOf: (node) => urns.get(node),
    factsOf: (urn) => facts.get(urn),
    firstPage: (side, node) => nodes.get(node)?.pages[side],
    furtherPages: (side, node, neighbours) => {
      const level = nodes.get(node)?.levels[side] ?? 0;
      // The highest level first: a load that knew how many it had to write wrote no other.
      if (neighbours === null) return Array.from({ length: pageCount(level) - 1 }, (_, i) => pageCount(level) - 1 - i);
      const levels = Array.from({ length: level }, (_, i) => i + 1);
      return [...new Set([...neighbours].flatMap((one) => levels.map((at) => pageNumber(at, one))))];
    },
    loadFurther: async (side, refs) => {
      const found = await ports.pages.morePages(workspace, side, refs);
      const cold = asOf === null ? [] : await ports.pages.coldPages(workspace, side, refs);
      const known = new Map(cold.map((page) => [`${page.node} ${page.number}`, page]));
      return found.map((page) => joined(page, known.get(`${page.node} ${page.number}`)));
    },
    scope: (scope) => scopes.get(scope),
  };
}

/** What was pruned from the pages is still history: it stands on their cold pages, which are written before and so read after. */
function withHistory(nodes: readonly GraphNode[], cold: readonly ColdNode[]): readonly GraphNode[] {
  if (cold.length === 0) return nodes;
  const known = new Map(cold.map(({ node, pages }) => [node, pages]));
  return nodes.map((one) => {
    const past = known.get(one.node);
    return past ? { ...one, pages: { out: joined(one.pages.out, past.out), in: joined(one.pages.in, past.in) } } : one;
  });
}

const joined = (hot: Page, cold: Page | undefined): Page =>
  cold ? { ...hot, claims: [...hot.claims, ...cold.claims] } : hot;

async function viewOf(
  ports: GraphPorts,
  workspace: WorkspaceId,
  head: ScopeHead,
  asOf: string | null,
): Promise<ScopeView | null> {
  if (asOf === null || head.kind === 'observed') return viewNow(head);
  return settledView(head, asOf) ?? viewAt(head, await ports.scopes.history(workspace, head.scope, zeroOrder), asOf);
}

const observedHead = (identity: ScopeIdentity): ScopeHead => ({
  ...identity,
  order: zeroOrder,
  floor: zeroOrder,
  started: zeroOrder,
  digest: null,
  committedAt: null,
});
