import DataLoader from 'dataloader';
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../base/caching.ts';
import type { NodeFacts } from '../graph/claim.ts';
import type { NodeId, ScopeId, Urn } from '../graph/node.ts';
import type { ScopeView } from './scope-moment.ts';

/** Reads each item once, if its name is not known yet (default: itself). Requests of one tick are read together. */
export function loadOnce<T, Name = T>(
  known: { readonly has: (name: Name) => boolean },
  read: (items: readonly T[]) => Promise<void>,
  nameOf: (item: T) => Name = (item) => item as unknown as Name,
): (items: Iterable<T>) => Promise<void> {
  // A promise a caller: one for each of hundreds of items costs more than to look them up.
  const reads = new Map<Name, Promise<void>>();
  const loader = new DataLoader<readonly T[], void>(
    async (lists) => {
      await read(lists.flat());
      return lists.map(() => undefined);
    },
    { cache: false },
  );
  return async (items) => {
    const fresh = new Map<Name, T>();
    const awaited = new Set<Promise<void>>();
    for (const item of items) {
      const name = nameOf(item);
      if (known.has(name)) continue;
      const reading = reads.get(name);
      if (reading) awaited.add(reading);
      else fresh.set(name, item);
    }
    if (fresh.size > 0) {
      const reading = loader.load([...fresh.values()]);
      for (const name of fresh.keys()) reads.set(name, reading);
      awaited.add(reading);
    }
    await Promise.all(awaited);
  };
}

export type NodeName = { readonly urn: Urn; readonly facts: NodeFacts };

/** What views of one scan and moment share: only finished reads, because views may run at once. */
export type ViewCache = {
  readonly scopes: LRUCache<ScopeId, ScopeView>;
  readonly names: LRUCache<NodeId, NodeName>;
};

/** About 60 MiB when full. */
export const newViewCache = (): ViewCache => ({ scopes: lruCache(5_000), names: lruCache(200_000) });
