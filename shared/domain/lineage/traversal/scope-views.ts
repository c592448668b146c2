import { inParallel } from '../../base/concurrency.ts';
import type { Claim } from '../graph/claim.ts';
import type { GraphId, ScopeId } from '../graph/node.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import { noRemovals, removalsOf } from '../graph/removals.ts';
import { type ScopeHead, type ScopeIdentity, type ScopeStore, schemasScopeOf } from '../graph/scope-store.ts';
import { asRegistered, type Feeds } from '../providers/feed.ts';
import { loadOnce, type ViewCache } from './load-once.ts';
import { currentMoment, momentAsOf, momentFromHead, type ScopeView } from './scope-moment.ts';
import { isOpen, type OrderedClaim } from './visible-version.ts';

/** The scopes that claims belong to, as a view sees them. */
export type ScopeViews = {
  /** Loads what the liveness and the time of claims of snapshot and static scopes follow from. */
  readonly load: (claims: readonly Claim[]) => Promise<void>;
  /** Loads the identities of observed scopes: most are stored with the nodes to which they observed edges. */
  readonly loadObservers: (scopes: Iterable<ScopeId>) => Promise<void>;
  readonly addObservers: (observers: readonly ScopeIdentity[]) => void;
  readonly get: (scope: ScopeId) => ScopeView | undefined;
};

const historiesInFlight = 16;

type ScopeSource = {
  readonly store: Pick<ScopeStore, 'heads' | 'history' | 'partials' | 'ends'>;
  readonly graph: GraphId;
  /** ISO time, or null for now. */
  readonly asOf: string | null;
  readonly feeds?: Feeds | undefined;
  readonly headsRead: ScopeHead[];
};

export function scopeViews(source: ScopeSource, cache?: ViewCache): ScopeViews {
  const { store, graph, asOf, feeds, headsRead } = source;
  const readHeads: ScopeStore['heads'] = async (...request) => {
    const heads = (await store.heads(...request)).map((head) => asRegistered(feeds, head));
    headsRead.push(...heads);
    return heads;
  };
  const views = knownViews(cache);
  const loadStated = loadOnce<ScopeId>(views, async (missing) => {
    // A past view needs a consistent read: a head that is moments old would pass for one that has not moved since.
    const heads = await readHeads(graph, missing, { consistent: asOf !== null });
    await inParallel(historiesInFlight, heads, async (head) => {
      const view = await viewOf(source, head);
      if (view) views.share(view);
    });
  });
  const loadNewer = loadOnce(
    { has: () => false },
    (orders: readonly OrderOfScope[]) => loadPartials(source, views, orders),
    ({ scope, order }) => `${scope} ${order}`,
  );
  return {
    load: async (claims) => {
      const stated = claims.filter((claim) => claim.kind !== 'observed');
      await loadStated(stated.map(({ scope }) => scope));
      const isOpenInView = (claim: OrderedClaim, view = views.get(claim.scope)) => view && isOpen(claim, view);
      await loadNewer(stated.filter((claim) => isOpenInView(claim)));
    },
    loadObservers: loadOnce<ScopeId>(views, async (missing) => {
      for (const head of await readHeads(graph, missing)) views.share(observerView(head));
    }),
    addObservers: (observers) => {
      // A node that names who observed its edges leaves out who states its columns.
      for (const one of observers.flatMap((one) => [one, schemasScopeOf(one.providerInstanceId)]))
        if (views.get(one.scope) === undefined) views.add(observerView(observedHead(asRegistered(feeds, one))));
    },
    get: views.get,
  };
}

type KnownViews = ReturnType<typeof knownViews>;

/** The scopes that were read, here or by another view that shares the cache. */
function knownViews(cache?: ViewCache) {
  const views = new Map<ScopeId, ScopeView>();
  const add = (view: ScopeView) => views.set(view.head.scope, view);
  return {
    get: (scope: ScopeId) => views.get(scope),
    has: (scope: ScopeId) => {
      const cached = views.has(scope) ? undefined : cache?.scopes.get(scope);
      if (cached) add(cached);
      return views.has(scope);
    },
    add,
    share: (view: ScopeView) => {
      add(view);
      cache?.scopes.set(view.head.scope, view);
    },
  };
}

async function viewOf({ store, graph, asOf }: ScopeSource, head: ScopeHead): Promise<ScopeView | null> {
  if (head.kind === 'observed') return observerView(head);
  const moment =
    asOf === null
      ? currentMoment(head)
      : (momentFromHead(head, asOf) ?? momentAsOf(head, await store.history(graph, head.scope, zeroOrder), asOf));
  if (moment === null) return null;
  const { floor, current } = moment;
  // The removals that the head names are all there are up to its order.
  const until = asOf === null ? head.removedAt : current;
  if (until === null || until <= floor) return { ...moment, removals: noRemovals };
  const ends = await store.ends(graph, head.scope, { after: floor, until, version: head.version });
  return { ...moment, removals: removalsOf(ends) };
}

/** Who observes something has no orders. */
const observerView = (head: ScopeHead): ScopeView => ({ ...currentMoment(head), removals: noRemovals });

type OrderOfScope = { readonly scope: ScopeId; readonly order: Order };

async function loadPartials({ store, graph }: ScopeSource, views: KnownViews, orders: readonly OrderOfScope[]) {
  await inParallel(historiesInFlight, [...Map.groupBy(orders, ({ scope }) => scope)], async ([scope, ofScope]) => {
    const target = ofScope.map(({ order }) => order);
    const partials = await store.partials(graph, scope, target);
    for (const order of target) views.get(scope)?.newer.set(order, partials.get(order) ?? null);
  });
}

const observedHead = (identity: ScopeIdentity): ScopeHead => ({
  ...identity,
  order: zeroOrder,
  floor: zeroOrder,
  started: zeroOrder,
  digest: null,
  committedAt: null,
  listed: zeroOrder,
  restatedBy: null,
  removedAt: null,
  version: 0,
  changes: { orders: 0, removals: 0 },
});
