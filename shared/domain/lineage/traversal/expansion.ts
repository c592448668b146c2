import type { ConnectorId } from '../../../contract/ids.ts';
import { findOrAdd } from '../../base/collections.ts';
import type { Claim, Page, Side } from '../graph/claim.ts';
import type { ClaimedEdge } from '../graph/derivation.ts';
import { type NodeId, nodeId, nodeOf, ownerOf, type Urn } from '../graph/node.ts';
import { eventTimeOf, liveClaim } from './liveness.ts';
import { alternativeNames, currentName, isDropped, loadNameChains } from './names.ts';
import type { ClaimsView, PageRef } from './node-view.ts';

/** One scope's live claim of one edge, by the names under which it is stored in the pages and its detail is found. */
export type LiveClaim = ClaimedEdge & { readonly observedAt: string };

/** An edge between current names, on the side that is expanded: `self` is the node that was expanded. */
export type ExpandedEdge = { readonly self: Urn; readonly other: Urn; readonly claims: LiveClaim[] };

/** The edges of some nodes, found in batches, in an order that depends only on the graph. */
export type Expansion = {
  /** Edges to at most `limit` neighbours that were not visited, and to any that were; null when there are no more. */
  readonly next: (limit: number) => Promise<ExpandedEdge[] | null>;
  /** A lower bound of the neighbours that were not returned yet: each page that was not read counts as one. */
  readonly remaining: () => number;
};

type ExpansionOptions = OfInterest & {
  readonly side: Side;
  readonly nodes: readonly Urn[];
  /** Only what a drop of the expanded nodes has ended. */
  readonly isBeforeDrop?: boolean;
};

const pagesPerRound = 32;

/** A claim as it is in a page, before its neighbour's name is known. */
type RawClaim = {
  readonly self: Urn;
  readonly other: NodeId;
  readonly claim: Claim;
  readonly stored: LiveClaim;
};

export async function expand(view: ClaimsView, options: ExpansionOptions): Promise<Expansion> {
  const { side, neighbours = null, isBeforeDrop = false } = options;
  const named = await namesOfNodes(view, options.nodes);
  const found = neighbourClaims<RawClaim>(options);
  const add = async (pages: readonly Page[]) => found.add(await liveClaims(view, named, pages, isBeforeDrop));
  await add([...named.keys()].flatMap((node) => view.nodes.firstPage(side, node) ?? []));
  const unread = [...named.keys()]
    .sort()
    .flatMap((node) => view.nodes.furtherPages(side, node, neighbours).map((number): PageRef => ({ node, number })));
  return {
    remaining: () => found.waiting(false).length + unread.length,
    next: async (limit) => {
      while (found.waiting(false).length < limit && unread.length > 0) {
        await add(await view.nodes.loadFurther(side, unread.splice(0, pagesPerRound)));
      }
      const batch = [...found.waiting(true), ...found.waiting(false).sort().slice(0, Math.max(limit, 0))];
      return batch.length === 0 ? null : namedEdges(view, side, found.take(batch));
    },
  };
}

/** Further pages of wide relations that an answer reads for their claims: some 20,000 claims. */
const mostClaimPages = 320;

/** The live claims of edges to relations, by their current names: none of wide relations that an answer has no room for. */
export async function claimsInto(
  view: ClaimsView,
  relations: readonly Urn[],
): Promise<ReadonlyMap<Urn, readonly LiveClaim[]>> {
  const named = await namesOfNodes(view, relations);
  const refs: PageRef[] = [];
  const pages: Page[] = [];
  for (const node of [...named.keys()].sort()) {
    const further = view.nodes.furtherPages('in', node, null);
    if (refs.length + further.length > mostClaimPages) continue;
    refs.push(...further.map((number) => ({ node, number })));
    pages.push(...[view.nodes.firstPage('in', node)].flatMap((page) => page ?? []));
  }
  for (let at = 0; at < refs.length; at += pagesPerRound)
    pages.push(...(await view.nodes.loadFurther('in', refs.slice(at, at + pagesPerRound))));
  const claims = Map.groupBy(await liveClaims(view, named, pages), ({ self }) => self);
  return new Map([...claims].map(([self, own]) => [self, own.map(({ stored }) => stored)]));
}

/** A node under one of its names, and the current names whose claims may be stored under it. */
type NamedNode = { readonly urn: Urn; readonly selves: Urn[] };

/** Every node under whose name claims of the given ones may be stored. */
export async function namesOfNodes(
  view: Pick<ClaimsView, 'nodes'>,
  nodes: readonly Urn[],
): Promise<Map<NodeId, NamedNode>> {
  const named = new Map<NodeId, NamedNode>();
  let frontier = nodes.map((urn) => ({ urn, self: urn }));
  while (frontier.length > 0) {
    await view.nodes.load(frontier.map(({ urn }) => nodeId(urn)));
    const next: typeof frontier = [];
    for (const { urn, self } of frontier) {
      const id = nodeId(urn);
      const node = named.get(id) ?? { urn, selves: [] };
      // Hardly any stands under more names than its own.
      if (node.selves.includes(self)) continue;
      node.selves.push(self);
      named.set(id, node);
      next.push(...alternativeNames(view.nodes.factsOf(urn)).map((name) => ({ urn: name, self })));
    }
    frontier = next;
  }
  return named;
}

async function liveClaims(
  view: ClaimsView,
  named: ReadonlyMap<NodeId, NamedNode>,
  pages: readonly Page[],
  isBeforeDrop = false,
): Promise<RawClaim[]> {
  // An observed claim is live by itself: who observed it is loaded only for the edges that are returned.
  await view.scopes.load(pages.flatMap(({ claims }) => claims));
  const found: RawClaim[] = [];
  for (const page of pages) {
    const node = named.get(page.node);
    for (const claim of node ? page.claims : []) {
      const live = node && rawClaim(view, node, { page, claim, isBeforeDrop });
      if (live) found.push(live);
    }
  }
  return found;
}

function rawClaim(
  view: ClaimsView,
  { urn, selves }: NamedNode,
  {
    page,
    claim: { other, scope },
    claim,
    isBeforeDrop,
  }: { readonly page: Page; readonly claim: Claim; readonly isBeforeDrop: boolean },
): RawClaim | null {
  const live = liveClaim(view, page, claim);
  if (!live) return null;
  const time = eventTimeOf(live.claim);
  if (isDropped(view.nodes.factsOf(urn), time) !== isBeforeDrop) return null;
  const self = currentName(urn, time, view.nodes.factsOf);
  if (!selves.includes(self)) return null;
  const [from, to] = page.side === 'out' ? [page.node, other] : [other, page.node];
  return {
    self,
    other,
    claim: live.claim,
    stored: { from, to, scope, ...claimedBy(live.claim), observedAt: live.observedAt },
  };
}

/** Whether an edge begins or ends at a relation of the connector. */
export const touches = ({ self, other }: Pick<ExpandedEdge, 'self' | 'other'>, connectorId: ConnectorId): boolean =>
  [self, other].some((urn) => ownerOf(nodeOf(urn)) === connectorId);

/** What a claim, as a view sees it, says of the order that states its edge. */
export const claimedBy = (claim: Claim): Pick<LiveClaim, 'order' | 'joined'> => {
  if (claim.kind === 'observed') return { order: null };
  return { order: claim.order, ...(claim.since !== undefined && { joined: true }) };
};

/** Names the neighbours, follows their aliases and renames, and leaves out what a drop has ended. */
async function namedEdges(view: ClaimsView, side: Side, claims: readonly RawClaim[]): Promise<ExpandedEdge[]> {
  await loadNeighbours(view, claims);
  const edges: ExpandedEdge[] = [];
  const ofNames = new Map<Urn, Map<Urn, ExpandedEdge>>();
  for (const { self, other, claim, stored } of claims) {
    const urn = view.nodes.urnOf(other);
    const time = eventTimeOf(claim);
    if (urn === undefined) continue;
    if (isDropped(view.nodes.factsOf(urn), time)) {
      if (side === 'out') view.gone.add(urn);
      continue;
    }
    const name = currentName(urn, time, view.nodes.factsOf);
    const ofSelf = findOrAdd(ofNames, self, () => new Map());
    const known = ofSelf.get(name);
    if (known) {
      addNewest(known.claims, stored);
      continue;
    }
    const edge = { self, other: name, claims: [stored] };
    ofSelf.set(name, edge);
    edges.push(edge);
  }
  return edges;
}

async function loadNeighbours(view: ClaimsView, claims: readonly RawClaim[]): Promise<void> {
  await view.nodes.loadNames(claims.map(({ other }) => other));
  await Promise.all([
    loadNameChains(
      view,
      claims.flatMap(({ other }) => view.nodes.urnOf(other) ?? []),
    ),
    view.scopes.loadObservers(claims.flatMap(({ claim }) => (claim.kind === 'observed' ? claim.scope : []))),
  ]);
}

/** A scope may claim an edge under several orders: its newest claim counts. */
function addNewest(claims: LiveClaim[], claim: LiveClaim): void {
  const index = claims.findIndex((one) => one.scope === claim.scope && one.from === claim.from && one.to === claim.to);
  const known = claims[index];
  if (!known) return void claims.push(claim);
  const [older, newer] = known.observedAt < claim.observedAt ? [known, claim] : [claim, known];
  // A partial order may begin before one that is older takes effect.
  const stating = (older.order ?? '') > (newer.order ?? '') ? older : newer;
  const { joined: _, ...rest } = newer;
  claims[index] = { ...rest, order: stating.order, ...(stating.joined && { joined: true }) };
}

type OfInterest = {
  /** Neighbours that do not count towards a limit. */
  readonly isVisited?: (node: NodeId) => boolean;
  /** The only neighbours of interest; all where absent. */
  readonly neighbours?: ReadonlySet<NodeId> | null;
};

/** The claims of the neighbours that were not returned yet. */
function neighbourClaims<C extends { readonly other: NodeId }>({
  isVisited = () => false,
  neighbours = null,
}: OfInterest) {
  const claims = new Map<NodeId, C[]>();
  const returned = new Set<NodeId>();
  return {
    add: (found: readonly C[]) => {
      for (const one of found) {
        if ((neighbours && !neighbours.has(one.other)) || returned.has(one.other)) continue;
        const known = claims.get(one.other);
        if (known) known.push(one);
        else claims.set(one.other, [one]);
      }
    },
    waiting: (visited: boolean) => [...claims.keys()].filter((node) => isVisited(node) === visited),
    take: (batch: readonly NodeId[]) => {
      const used = batch.flatMap((node) => claims.get(node) ?? []);
      for (const node of batch) {
        returned.add(node);
        claims.delete(node);
      }
      return used;
    },
  };
}
