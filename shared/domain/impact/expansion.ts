import type { Claim, Page, Side } from '../graph/claim.ts';
import { type NodeId, nodeId, type ScopeId } from '../graph/ids.ts';
import type { Urn } from '../lineage/node.ts';
import type { GraphView, PageRef } from './graph-view.ts';
import { eventTimeOf, liveClaim } from './liveness.ts';
import { endedByDrop, otherNames, shownName } from './names.ts';

/** One scope's live word on one edge. */
export type LiveClaim = {
  readonly scope: ScopeId;
  readonly observedAt: string;
  /** The names under which it stands in the pages, by which its detail is found. */
  readonly from: NodeId;
  readonly to: NodeId;
};

/** An edge between shown names, on the side that is walked: `self` is the node that was expanded. */
export type FoundEdge = { readonly self: Urn; readonly other: Urn; readonly claims: LiveClaim[] };

/** The edges of some nodes, found a portion at a time, in an order that depends on the graph alone. */
export type Expansion = {
  /** Edges to at most `room` neighbours that were not visited; null when there are no more. */
  readonly next: (room: number) => Promise<FoundEdge[] | null>;
  /** How many neighbours were not given out, at least: each page that was not read counts as one. */
  readonly left: () => number;
};

const furtherPagesARound = 32;

type Raw = {
  readonly self: Urn;
  readonly member: Urn;
  readonly other: NodeId;
  readonly claim: Claim;
  readonly at: string;
};

/**
 * Opens the neighbourhoods of `nodes`; no more of a wide node's pages are read than `next` asks for.
 *
 * @param wanted the only neighbours of interest; null: all
 */
export async function expand(
  view: GraphView,
  side: Side,
  nodes: readonly Urn[],
  isVisited: (node: NodeId) => boolean,
  wanted: ReadonlySet<NodeId> | null = null,
): Promise<Expansion> {
  const members = await membersOf(view, nodes);
  const raw = new Map<NodeId, Raw[]>();
  const done = new Set<NodeId>();
  const unread: PageRef[] = [];
  const keep = async (pages: readonly Page[]) => {
    for (const one of await liveClaims(view, members, pages)) {
      if (wanted && !wanted.has(one.other)) continue;
      const known = raw.get(one.other);
      if (known) known.push(one);
      else raw.set(one.other, [one]);
    }
  };
  await keep([...members.keys()].flatMap((node) => view.firstPage(side, node) ?? []));
  for (const node of [...members.keys()].sort()) {
    unread.push(...view.furtherPages(side, node, wanted).map((number) => ({ node, number })));
  }
  const fresh = () => [...raw.keys()].filter((node) => !done.has(node) && !isVisited(node));

  return {
    left: () => fresh().length + unread.length,
    next: async (room) => {
      while (fresh().length < room && unread.length > 0) {
        await keep(await view.loadFurther(side, unread.splice(0, furtherPagesARound)));
      }
      const old = [...raw.keys()].filter((node) => !done.has(node) && isVisited(node));
      const portion = [...old, ...fresh().sort().slice(0, Math.max(room, 0))];
      if (portion.length === 0) return null;
      for (const node of portion) done.add(node);
      return shownEdges(
        view,
        side,
        portion.flatMap((node) => raw.get(node) ?? []),
      );
    },
  };
}

/** The nodes under whose names claims of the wanted ones may stand, each with the wanted ones it may speak for. */
export async function membersOf(view: GraphView, nodes: readonly Urn[]): Promise<Map<NodeId, Member>> {
  const members = new Map<NodeId, Member>();
  let frontier = nodes.map((urn) => ({ urn, self: urn }));
  while (frontier.length > 0) {
    await view.loadNodes(frontier.map(({ urn }) => nodeId(urn)));
    const next: typeof frontier = [];
    for (const { urn, self } of frontier) {
      const member = members.get(nodeId(urn)) ?? { urn, selves: new Set<Urn>() };
      if (member.selves.has(self)) continue;
      member.selves.add(self);
      members.set(nodeId(urn), member);
      next.push(...otherNames(view.factsOf(urn)).map((name) => ({ urn: name, self })));
    }
    frontier = next;
  }
  return members;
}

type Member = { readonly urn: Urn; readonly selves: Set<Urn> };

async function liveClaims(
  view: GraphView,
  members: ReadonlyMap<NodeId, Member>,
  pages: readonly Page[],
): Promise<Raw[]> {
  // An observed claim is live by itself: who observed it is asked of the edges that are taken alone.
  const scopes = new Set<ScopeId>();
  for (const page of pages) for (const { scope, kind } of page.claims) if (kind !== 'observed') scopes.add(scope);
  await view.loadScopes(scopes);
  return pages.flatMap((page) => {
    const member = members.get(page.node);
    if (!member) return [];
    return page.claims.flatMap((claim): Raw[] => {
      const live = liveClaim(claim, view.scope(claim.scope), view.observedUntil);
      if (!live) return [];
      const time = eventTimeOf(live.claim);
      if (endedByDrop(view.factsOf(member.urn), time)) return [];
      const shown = shownName(member.urn, time, view.factsOf);
      if (!member.selves.has(shown)) return [];
      return [{ self: shown, member: member.urn, other: claim.other, claim: live.claim, at: live.observedAt }];
    });
  });
}

/** Names the neighbours, follows their aliases and renames, and leaves out what a drop has ended. */
async function shownEdges(view: GraphView, side: Side, raw: readonly Raw[]): Promise<FoundEdge[]> {
  await view.loadNames(raw.map(({ other }) => other));
  await Promise.all([
    loadNameChains(
      view,
      raw.flatMap(({ other }) => view.urnOf(other) ?? []),
    ),
    view.loadObservers(raw.flatMap(({ claim }) => (claim.kind === 'observed' ? claim.scope : []))),
  ]);
  const edges = new Map<string, FoundEdge>();
  for (const { self, member, other, claim, at } of raw) {
    const urn = view.urnOf(other);
    const time = eventTimeOf(claim);
    if (urn === undefined || endedByDrop(view.factsOf(urn), time)) continue;
    const shown = shownName(urn, time, view.factsOf);
    const edge = edges.get(`${self} ${shown}`) ?? { self, other: shown, claims: [] };
    const [here, there] = [nodeId(member), other];
    const ends = side === 'out' ? { from: here, to: there } : { from: there, to: here };
    keepNewest(edge.claims, { scope: claim.scope, observedAt: at, ...ends });
    edges.set(`${self} ${shown}`, edge);
  }
  return [...edges.values()];
}

/** A scope may claim an edge under several orders: its newest word counts. */
function keepNewest(claims: LiveClaim[], claim: LiveClaim): void {
  const index = claims.findIndex((one) => one.scope === claim.scope && one.from === claim.from && one.to === claim.to);
  if (index < 0) claims.push(claim);
  else if ((claims[index]?.observedAt ?? '') < claim.observedAt) claims[index] = claim;
}

/** Loads what the names lead to until every chain's end is known. */
async function loadNameChains(view: GraphView, names: readonly Urn[]): Promise<void> {
  const seen = new Set<Urn>(names);
  let frontier: Urn[] = [...seen];
  while (frontier.length > 0) {
    const next = frontier
      .flatMap((urn) => {
        const facts = view.factsOf(urn);
        return facts ? [...facts.aliasOf, ...facts.renamedTo.map((rename) => rename.urn)] : [];
      })
      .filter((urn) => !seen.has(urn));
    for (const urn of next) seen.add(urn);
    if (next.length > 0) await view.loadNames(next.map(nodeId));
    frontier = next;
  }
}
