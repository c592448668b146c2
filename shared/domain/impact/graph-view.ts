import type { WorkspaceId } from '../../contract/ids.ts';
import { type Claim, type NodeFacts, noFacts, type Page, pageCount, pageNumber, type Side } from '../graph/claim.ts';
import type { NodeId, ScopeId } from '../graph/ids.ts';
import { type Micros, microsOfIso, zeroOrder } from '../graph/order.ts';
import type { PageReader, ScopeHead, ScopeIdentity, ScopeStore } from '../graph/ports.ts';
import { inParallel } from '../in-parallel.ts';
import type { Urn } from '../lineage/node.ts';
import { type ScopeView, viewAt, viewNow } from './liveness.ts';

export type GraphPorts = {
  readonly pages: PageReader;
  readonly scopes: Pick<ScopeStore, 'heads' | 'history'>;
  /** Identities of observed scopes never change: what a process has read once it need not read again. */
  readonly knownScopes: {
    readonly get: (key: string) => ScopeIdentity | undefined;
    readonly set: (key: string, identity: ScopeIdentity) => unknown;
    /** Told how many heads of a read were remembered, so that what an answer costs does not depend on it. */
    readonly spared?: (heads: { readonly remembered: number; readonly read: number }) => void;
  };
};

/** One request's view of the graph at one time: every page and head is read at most once. */
export type GraphView = {
  readonly asOf: string | null;
  /** Observations that began later are not seen; null: all are. */
  readonly observedUntil: Micros | null;
  /** Makes pages 0 of the nodes known: those of the side and, for nodes without one, of the other side. */
  readonly loadNodes: (side: Side, nodes: readonly NodeId[]) => Promise<void>;
  /** Takes pages that were read otherwise. */
  readonly seed: (side: Side, found: readonly Page[]) => Promise<void>;
  readonly loadScopes: (scopes: Iterable<ScopeId>, observed: ReadonlySet<ScopeId>) => Promise<void>;
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
  { cutObserved = true }: { readonly cutObserved?: boolean } = {},
): GraphView {
  const pages: Record<Side, Map<NodeId, Page | null>> = { out: new Map(), in: new Map() };
  const urns = new Map<NodeId, Urn>();
  const facts = new Map<Urn, NodeFacts>();
  const scopes = new Map<ScopeId, ScopeView | null>();

  const load = async (side: Side, nodes: readonly NodeId[]) => {
    const missing = [...new Set(nodes)].filter((node) => !pages[side].has(node));
    if (missing.length === 0) return;
    for (const node of missing) pages[side].set(node, null);
    await seed(side, await ports.pages.firstPages(workspace, side, missing));
  };
  const seed = async (side: Side, found: readonly Page[]) => {
    const cold = await coldClaims(ports, workspace, side, asOf, found);
    for (const page of found) {
      pages[side].set(page.node, withClaims(page, cold));
      if (page.urn === null) continue;
      urns.set(page.node, page.urn);
      if (page.facts !== noFacts) facts.set(page.urn, page.facts);
    }
  };

  return {
    asOf,
    observedUntil: asOf !== null && cutObserved ? microsOfIso(asOf) : null,
    seed,
    loadNodes: async (side, nodes) => {
      await load(side, nodes);
      const leaves = nodes.filter((node) => !pages[side].get(node));
      await load(side === 'out' ? 'in' : 'out', leaves);
    },
    loadScopes: async (wanted, observed) => {
      const missing = [...new Set(wanted)].filter((scope) => !scopes.has(scope));
      const known = missing.filter((scope) => observed.has(scope) && ports.knownScopes.get(`${workspace} ${scope}`));
      for (const scope of known) {
        const identity = ports.knownScopes.get(`${workspace} ${scope}`);
        if (identity) scopes.set(scope, viewNow(observedHead(identity)));
      }
      const unknown = missing.filter((scope) => !scopes.has(scope));
      for (const scope of unknown) scopes.set(scope, null);
      ports.knownScopes.spared?.({ remembered: known.length, read: unknown.length });
      const heads = await ports.scopes.heads(workspace, unknown);
      await inParallel(historiesInFlight, heads, async (head) => {
        if (head.kind === 'observed') ports.knownScopes.set(`${workspace} ${head.scope}`, head);
        scopes.set(head.scope, await viewOf(ports, workspace, head, asOf));
      });
    },
    urnOf: (node) => urns.get(node),
    factsOf: (urn) => facts.get(urn),
    firstPage: (side, node) => pages[side].get(node) ?? undefined,
    furtherPages: (side, node, neighbours) => {
      const level = pages[side].get(node)?.level ?? 0;
      if (neighbours === null) return Array.from({ length: pageCount(level) - 1 }, (_, i) => i + 1);
      const levels = Array.from({ length: level }, (_, i) => i + 1);
      return [...new Set([...neighbours].flatMap((one) => levels.map((at) => pageNumber(at, one))))];
    },
    loadFurther: async (side, refs) => {
      const found = await ports.pages.morePages(workspace, side, refs);
      const cold = await coldClaims(ports, workspace, side, asOf, found);
      return found.map((page) => withClaims(page, cold));
    },
    scope: (scope) => scopes.get(scope) ?? undefined,
  };
}

/** What was pruned from the pages is still history: it stands on their cold pages. */
async function coldClaims(
  ports: GraphPorts,
  workspace: WorkspaceId,
  side: Side,
  asOf: string | null,
  pages: readonly Page[],
): Promise<Map<string, readonly Claim[]>> {
  if (asOf === null || pages.length === 0) return new Map();
  const cold = await ports.pages.coldPages(workspace, side, pages);
  return new Map(cold.map((page) => [`${page.node} ${page.number}`, page.claims]));
}

function withClaims(page: Page, more: ReadonlyMap<string, readonly Claim[]>): Page {
  const cold = more.get(`${page.node} ${page.number}`);
  return cold ? { ...page, claims: [...page.claims, ...cold] } : page;
}

async function viewOf(
  ports: GraphPorts,
  workspace: WorkspaceId,
  head: ScopeHead,
  asOf: string | null,
): Promise<ScopeView | null> {
  if (asOf === null || head.kind === 'observed') return viewNow(head);
  return viewAt(head, await ports.scopes.history(workspace, head.scope, zeroOrder), asOf);
}

const observedHead = (identity: ScopeIdentity): ScopeHead => ({
  ...identity,
  order: zeroOrder,
  floor: zeroOrder,
  started: zeroOrder,
  digest: null,
  committedAt: null,
});
