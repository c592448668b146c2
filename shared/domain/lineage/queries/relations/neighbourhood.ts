import type { Claim, Page, Side } from '../../graph/claim.ts';
import { type ClaimedEdge, edgeInScopeName } from '../../graph/derivation.ts';
import type { NodeId, Urn } from '../../graph/node.ts';
import { isoOfMicros } from '../../graph/order.ts';
import type { ClaimPlace } from '../../graph/removals.ts';
import { claimedBy, namesOfNodes } from '../../traversal/expansion.ts';
import type { BareView } from '../../traversal/graph-view.ts';
import { eventTimeOf, liveClaim } from '../../traversal/liveness.ts';
import { currentName, isDropped } from '../../traversal/names.ts';
import type { PageRef } from '../../traversal/node-view.ts';

export type Neighbourhood = {
  /** Distinct neighbours; each page that was not read counts as one. */
  readonly counts: Readonly<Record<Side, number>>;
  /** ISO times of the first and the last observation; null if nothing is claimed. */
  readonly first: string | null;
  readonly last: string | null;
  /** The claimed edges, each once a scope. */
  readonly claims: readonly ClaimedEdge[];
  /** The nodes under whose names the claims stand. */
  readonly names: readonly Urn[];
  readonly hasUnreadPages: boolean;
  /** Whether somebody states its columns. */
  readonly isDescribed: boolean;
};

/** Whether anything that was read states the relation at the view's moment. */
export const isStated = ({ first, isDescribed }: Neighbourhood): boolean => first !== null || isDescribed;

/** Of all wide relations that are read together; the rest counts as unread. */
export const furtherPagesRead = 128;

const sides = ['in', 'out'] as const;
const pagesPerRead = 32;

type Growing = {
  readonly others: Readonly<Record<Side, Set<NodeId>>>;
  readonly claims: Map<string, ClaimedEdge>;
  readonly names: Set<Urn>;
  first: string | null;
  last: string | null;
  unread: Record<Side, number>;
  isDescribed: boolean;
};

/** The neighbourhoods by name. Wide relations together may have `furtherPages` read beside their first pages. */
export async function neighbourhoodsOf(
  view: BareView,
  urns: readonly Urn[],
  furtherPages: number,
): Promise<ReadonlyMap<Urn, Neighbourhood>> {
  const members = await namesOfNodes(view, urns);
  const found = new Map(urns.map((urn) => [urn, emptyNeighbourhood()]));
  const add = async (pages: readonly Page[]) => {
    await loadScopesOf(view, pages);
    for (const page of pages) for (const claim of page.claims) addClaim(view, members, found, { page, claim });
  };
  for (const { urn, selves } of members.values()) for (const self of selves) found.get(self)?.names.add(urn);
  await add([...members.keys()].flatMap((node) => sides.flatMap((side) => view.nodes.firstPage(side, node) ?? [])));
  // Without further pages the times of a wide relation are those of its first.
  if (furtherPages > 0) await view.nodes.loadSchemas(members.keys());
  await addSchemas(view, members, found);
  let budget = furtherPages;
  for (const side of sides) {
    const refs = [...members.keys()].flatMap((node) =>
      view.nodes.furtherPages(side, node, null).map((number): PageRef => ({ node, number })),
    );
    const read = refs.slice(0, budget);
    budget -= read.length;
    for (let at = 0; at < read.length; at += pagesPerRead)
      await add(await view.nodes.loadFurther(side, read.slice(at, at + pagesPerRead)));
    for (const { node } of refs.slice(read.length))
      for (const self of members.get(node)?.selves ?? []) {
        const one = found.get(self);
        if (one) one.unread[side]++;
      }
  }
  return new Map([...found].map(([urn, one]) => [urn, neighbourhoodOf(one)]));
}

/** An upper bound from first pages, without liveness; relations without statements are left out. */
export async function mostNeighboursOf(view: BareView, urns: readonly Urn[]): Promise<ReadonlyMap<Urn, number>> {
  const most = new Map<Urn, number>();
  for (const [node, { selves }] of await namesOfNodes(view, urns)) {
    const counts = sides.map((side) => {
      const claims = view.nodes.firstPage(side, node)?.claims ?? [];
      return new Set(claims.map(({ other }) => other)).size + view.nodes.furtherPages(side, node, null).length;
    });
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (count === 0 && view.nodes.schemasOf(node).length === 0) continue;
    for (const self of selves) most.set(self, (most.get(self) ?? 0) + count);
  }
  return most;
}

const emptyNeighbourhood = (): Growing => ({
  others: { in: new Set(), out: new Set() },
  claims: new Map(),
  names: new Set(),
  first: null,
  last: null,
  unread: { in: 0, out: 0 },
  isDescribed: false,
});

async function loadScopesOf(view: BareView, pages: readonly Pick<Page, 'claims'>[]): Promise<void> {
  await view.scopes.load(pages.flatMap(({ claims }) => claims));
}

type Members = Awaited<ReturnType<typeof namesOfNodes>>;

async function addSchemas(view: BareView, members: Members, found: ReadonlyMap<Urn, Growing>): Promise<void> {
  const schemas = [...members.keys()].map((node) => ({ node, claims: view.nodes.schemasOf(node) }));
  await loadScopesOf(view, schemas);
  for (const { node, claims } of schemas)
    for (const claim of claims) {
      const about = aboutRelation(view, members, found, { place: { node, side: 'schema' }, claim });
      if (about) about.relation.isDescribed = true;
    }
}

function addClaim(
  view: BareView,
  members: Members,
  found: ReadonlyMap<Urn, Growing>,
  { page, claim: stored }: { readonly page: Page; readonly claim: Claim },
): void {
  const about = aboutRelation(view, members, found, { place: page, claim: stored });
  if (!about) return;
  const { others, claims } = about.relation;
  others[page.side].add(stored.other);
  const [from, to] = page.side === 'out' ? [page.node, stored.other] : [stored.other, page.node];
  const claimed = { from, to, scope: stored.scope, ...claimedBy(about.claim) };
  const name = edgeInScopeName(claimed);
  // A scope may claim an edge under several orders: the newest counts.
  if ((claims.get(name)?.order ?? '') <= (claimed.order ?? '')) claims.set(name, claimed);
}

/** The relation that a live claim is about, which was then observed, and the claim as the view sees it; null if it is not live, or another's. */
function aboutRelation(
  view: BareView,
  members: Members,
  found: ReadonlyMap<Urn, Growing>,
  { place, claim: stored }: { readonly place: ClaimPlace; readonly claim: Claim },
): { readonly relation: Growing; readonly claim: Claim } | null {
  const member = members.get(place.node);
  const live = liveClaim(view, place, stored);
  if (!member || !live) return null;
  const time = eventTimeOf(live.claim);
  if (isDropped(view.nodes.factsOf(member.urn), time)) return null;
  const self = currentName(member.urn, time, view.nodes.factsOf);
  const relation = member.selves.includes(self) ? found.get(self) : undefined;
  if (!relation) return null;
  const first = live.claim.kind === 'observed' ? isoOfMicros(live.claim.first) : live.observedAt;
  if (relation.first === null || first < relation.first) relation.first = first;
  if (relation.last === null || live.observedAt > relation.last) relation.last = live.observedAt;
  return { relation, claim: live.claim };
}

const neighbourhoodOf = ({ others, claims, names, first, last, unread, isDescribed }: Growing): Neighbourhood => ({
  counts: { in: others.in.size + unread.in, out: others.out.size + unread.out },
  first,
  last,
  claims: [...claims.values()],
  names: [...names],
  hasUnreadPages: unread.in + unread.out > 0,
  isDescribed,
});
