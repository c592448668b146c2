import type { WorkspaceId } from '../../contract/ids.ts';
import { type NodeFacts, noFacts, type Page, pageCount, pageNumber, type Side } from '../graph/claim.ts';
import type { NodeId, ScopeId } from '../graph/ids.ts';
import { type Micros, microsOfIso, zeroOrder } from '../graph/order.ts';
import type { PageReader, ScopeHead, ScopeIdentity, ScopeStore } from '../graph/ports.ts';
import { inParallel } from '../in-parallel.ts';
import type { Urn } from '../lineage/node.ts';
import { type ScopeView, settledView, viewAt, viewNow } from './liveness.ts';
import type { NodeName, ViewMemory } from './view-memory.ts';

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
  /** Makes the nodes' names known, where their claims are not wanted: whoever walks on will want them. */
  readonly loadNames: (side: Side, nodes: readonly NodeId[]) => Promise<void>;
  /** Takes pages, and their cold ones, that were read otherwise. */
  readonly seed: (side: Side, found: readonly Page[], cold: readonly Page[]) => void;
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
  { cutObserved = true, memory }: { readonly cutObserved?: boolean; readonly memory?: ViewMemory } = {},
): GraphView {
  const pages: Record<Side, Map<NodeId, Page | null>> = { out: new Map(), in: new Map() };
  const urns = new Map<NodeId, Urn>();
  const facts = new Map<Urn, NodeFacts>();
  const scopes = new Map<ScopeId, ScopeView | null>();

  const load = async (side: Side, nodes: readonly NodeId[]) => {
    const missing = [...new Set(nodes)].filter((node) => !pages[side].has(node));
    if (missing.length === 0) return;
    for (const node of missing) pages[side].set(node, null);
    const found = await ports.pages.firstPages(workspace, side, missing);
    seed(side, found, await coldPages(ports, workspace, side, asOf, found));
  };
  const seed = (side: Side, found: readonly Page[], cold: readonly Page[]) => {
    for (const page of withHistory(found, cold)) {
      pages[side].set(page.node, page);
      if (page.urn !== null) learn(page.node, { urn: page.urn, facts: page.facts });
    }
  };
  const loadNodes = async (side: Side, nodes: readonly NodeId[]) => {
    await load(side, nodes);
    const leaves = nodes.filter((node) => !pages[side].get(node));
    await load(opposite(side), leaves);
  };
  const know = (node: NodeId, name: NodeName) => {
    urns.set(node, name.urn);
    if (name.facts !== noFacts) facts.set(name.urn, name.facts);
  };
  const learn = (node: NodeId, name: NodeName) => {
    know(node, name);
    memory?.names.set(node, name);
  };
  const loadNames = async (side: Side, nodes: readonly NodeId[], { names }: ViewMemory) => {
    for (const node of nodes) {
      const name = urns.has(node) ? undefined : names.get(node);
      if (name) know(node, name);
    }
    // Its mirror image stands on the neighbour's other side; an alias or a former name may have one side alone.
    for (const from of [opposite(side), side]) {
      const missing = [...new Set(nodes)].filter((node) => !urns.has(node));
      if (missing.length === 0) return;
      for (const { node, urn, facts } of await ports.pages.names(workspace, from, missing)) {
        if (urn !== null) learn(node, { urn, facts });
      }
    }
  };

  return {
    asOf,
    observedUntil: asOf !== null && cutObserved ? microsOfIso(asOf) : null,
    seed,
    loadNodes,
    loadNames: (side, nodes) => (memory ? loadNames(side, nodes, memory) : loadNodes(side, nodes)),
    loadScopes: async (wanted, observed) => {
      const missing = [...new Set(wanted)].filter((scope) => !scopes.has(scope));
      const known = missing.filter((scope) => observed.has(scope) && ports.knownScopes.get(`${workspace} ${scope}`));
      for (const scope of known) {
        const identity = ports.knownScopes.get(`${workspace} ${scope}`);
        if (identity) scopes.set(scope, viewNow(observedHead(identity)));
      }
      for (const scope of missing) {
        const view = memory?.scopes.get(scope);
        if (view && !scopes.has(scope)) scopes.set(scope, view);
      }
      const unknown = missing.filter((scope) => !scopes.has(scope));
      for (const scope of unknown) scopes.set(scope, null);
      const [lasting, moving] = divided(unknown, (scope) => asOf === null || observed.has(scope));
      ports.knownScopes.spared?.({ remembered: known.length, read: lasting.length });
      const heads = await Promise.all([
        ports.scopes.heads(workspace, lasting),
        // Consistent: a head that is moments late would pass for one that has not moved since.
        ports.scopes.heads(workspace, moving, { consistent: true }),
      ]);
      await inParallel(historiesInFlight, heads.flat(), async (head) => {
        if (head.kind === 'observed') ports.knownScopes.set(`${workspace} ${head.scope}`, head);
        const view = await viewOf(ports, workspace, head, asOf);
        scopes.set(head.scope, view);
        if (view && asOf !== null && head.kind !== 'observed') memory?.scopes.set(head.scope, view);
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
      return withHistory(found, await coldPages(ports, workspace, side, asOf, found));
    },
    scope: (scope) => scopes.get(scope) ?? undefined,
  };
}

const opposite = (side: Side): Side => (side === 'out' ? 'in' : 'out');

/** What was pruned from the pages is still history: it stands on their cold pages. */
const coldPages = async (
  ports: GraphPorts,
  workspace: WorkspaceId,
  side: Side,
  asOf: string | null,
  pages: readonly Page[],
): Promise<readonly Page[]> =>
  asOf === null || pages.length === 0 ? [] : ports.pages.coldPages(workspace, side, pages);

function withHistory(pages: readonly Page[], cold: readonly Page[]): Page[] {
  const claims = new Map(cold.map((page) => [`${page.node} ${page.number}`, page.claims]));
  return pages.map((page) => {
    const more = claims.get(`${page.node} ${page.number}`);
    return more ? { ...page, claims: [...page.claims, ...more] } : page;
  });
}

function divided<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? 'first' : 'second'));
  return [first, second];
}

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
