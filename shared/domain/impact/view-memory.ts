import { LRUCache } from 'lru-cache';
import type { NodeFacts } from '../graph/claim.ts';
import type { NodeId, ScopeId } from '../graph/ids.ts';
import type { Urn } from '../lineage/node.ts';
import type { ScopeView } from './liveness.ts';

/**
 * What views of one workspace and moment share, so that a scan does not read again what its nodes before needed. Only
 * what was read to the end is put in, for one view may look while another reads.
 */
export type ViewMemory = {
  readonly scopes: LRUCache<ScopeId, ScopeView>;
  readonly names: LRUCache<NodeId, NodeName>;
};

export type NodeName = { readonly urn: Urn; readonly facts: NodeFacts };

/** Some 60 MiB where it is full. */
export const newViewMemory = (): ViewMemory => ({
  scopes: new LRUCache({ max: 5_000 }),
  names: new LRUCache({ max: 200_000 }),
});
