import type { LRUCache } from 'lru-cache';
import type { NodeFacts } from '../graph/claim.ts';
import type { NodeId, ScopeId } from '../graph/ids.ts';
import type { Urn } from '../graph/node.ts';
import { lruCache } from '../lru-cache.ts';
import type { ScopeView } from './liveness.ts';

export type NodeName = { readonly urn: Urn; readonly facts: NodeFacts };

/**
 * What the views of one scan share, all of one workspace and moment. Only values that were read to the end are stored,
 * because one view may look up while another reads.
 */
export type ViewCache = {
  readonly scopes: LRUCache<ScopeId, ScopeView>;
  readonly names: LRUCache<NodeId, NodeName>;
};

/** About 60 MiB when full. */
export const newViewCache = (): ViewCache => ({
  scopes: lruCache(5_000),
  names: lruCache(200_000),
});
