import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import type { Claim } from '../graph/claim.ts';
import type { ScopeId } from '../graph/ids.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import type { ScopeHead, ScopeIdentity, ScopeStore } from '../graph/ports.ts';
import { currentView, isUndated, type ScopeView, viewAsOf, viewFromHead } from './liveness.ts';
import { loadOnce } from './load-once.ts';
import type { ViewCache } from './view-cache.ts';

/** The scopes that claims belong to, as a view sees them. */
export type ScopeViews = {
  /** Loads what claims of snapshot and static scopes are judged and dated by. */
  readonly load: (claims: readonly Claim[]) => Promise<void>;
  /** Loads the identities of observed scopes: most are stored with the nodes to which they observed edges. */
  readonly loadObservers: (scopes: Iterable<ScopeId>) => Promise<void>;
  /** Adds identities that were read with a node. */
  readonly addObservers: (observers: readonly ScopeIdentity[]) => void;
  readonly get: (scope: ScopeId) => ScopeView | undefined;
};

const historiesInFlight = 16;

export function scopeViews(
  store: Pick<ScopeStore, 'heads' | 'history' | 'begunAt'>,
  workspace: WorkspaceId,
  asOf: string | null,
  cache?: ViewCache,
): ScopeViews {
  const views = new Map<ScopeId, ScopeView>();
  const isKnown = (scope: ScopeId) => {
    const cached = views.has(scope) ? undefined : cache?.scopes.get(scope);
    if (cached) views.set(scope, cached);
    return views.has(scope);
  };
  const add = (scope: ScopeId, view: ScopeView | null) => {
    if (!view) return;
    views.set(scope, view);
    cache?.scopes.set(scope, view);
  };
  const viewOf = async (head: ScopeHead): Promise<ScopeView | null> => {
    if (asOf === null || head.kind === 'observed') return currentView(head);
    return viewFromHead(head, asOf) ?? viewAsOf(head, await store.history(workspace, head.scope, zeroOrder), asOf);
  };
  const loadViews = loadOnce<ScopeId>(isKnown, async (missing) => {
    // A past view needs a consistent read: a head that is moments old would pass for one that has not moved since.
    const heads = await store.heads(workspace, missing, { consistent: asOf !== null });
    await inParallel(historiesInFlight, heads, async (head) => add(head.scope, await viewOf(head)));
  });
  const loadTimes = loadOnce<string>(
    () => false,
    async (missing) => {
      const ofScopes = Map.groupBy(missing.map(splitName), ({ scope }) => scope);
      await inParallel(historiesInFlight, [...ofScopes], async ([scope, orders]) => {
        const times = await store.begunAt(
          workspace,
          scope,
          orders.map(({ order }) => order),
        );
        for (const [order, at] of times) views.get(scope)?.begunAt.set(order, at);
      });
    },
  );
  return {
    load: async (claims) => {
      const stated = claims.filter((claim) => claim.kind !== 'observed');
      await loadViews(stated.map(({ scope }) => scope));
      await loadTimes(
        stated.flatMap((claim) => {
          const view = views.get(claim.scope);
          return view && isUndated(claim, view) ? `${claim.scope} ${claim.order}` : [];
        }),
      );
    },
    loadObservers: loadOnce<ScopeId>(isKnown, async (missing) => {
      for (const head of await store.heads(workspace, missing)) add(head.scope, currentView(head));
    }),
    addObservers: (observers) => {
      for (const observer of observers) views.set(observer.scope, currentView(observedHead(observer)));
    },
    get: (scope) => views.get(scope),
  };
}

const splitName = (name: string) => {
  const [scope, order] = name.split(' ') as [ScopeId, Order];
  return { scope, order };
};

const observedHead = (identity: ScopeIdentity): ScopeHead => ({
  ...identity,
  order: zeroOrder,
  floor: zeroOrder,
  started: zeroOrder,
  digest: null,
  committedAt: null,
});
