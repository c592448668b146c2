import type { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { EdgeInScope } from '../../../../domain/lineage/graph/detail-store.ts';
import { type NodeId, nodeIdLength, type ScopeId, scopeIdLength } from '../../../../domain/lineage/graph/ids.ts';
import { edgeDetailKey, nodeDetailsKey } from '../../keys/graph-keys.ts';
import type { Key } from '../../keys/key.ts';
import type { Item } from '../../requests/batch-get.ts';
import type { ChangeTogether } from '../../requests/batched-changes.ts';
import type { KnownItems } from '../../requests/known-items.ts';
import type { Table } from '../../requests/table.ts';

export const inFlight = 24;

/** The details of one workspace. */
export type Store = {
  readonly table: Table;
  readonly workspace: WorkspaceId;
  /** Sort keys of items that have overflowed: none ever fits again. */
  readonly overflowedItems: LRUCache<string, true>;
};

/** The same for a process that writes details. */
export type WrittenStore = Store & {
  /** Items of details by their sort keys. */
  readonly known: KnownItems;
  readonly changeTogether: ChangeTogether;
};

export const itemKey = ({ workspace }: Store, { to, scope }: Pick<EdgeInScope, 'to' | 'scope'>): Key =>
  nodeDetailsKey(workspace, to, scope);
export const overflowKey = ({ workspace }: Store, { from, to, scope }: EdgeInScope): Key =>
  edgeDetailKey(workspace, from, to, scope);

const itemKeyLength = nodeIdLength + 1 + scopeIdLength;

/** Whether a sort key is of the item of a node's details, and not of one that overflowed from it. */
export const isItemKey = (sk: string): boolean => sk.length === itemKeyLength;

export const downstreamOf = (sk: string): Pick<EdgeInScope, 'to' | 'scope'> => ({
  to: sk.slice(0, nodeIdLength) as NodeId,
  scope: sk.slice(nodeIdLength + 1, itemKeyLength) as ScopeId,
});

/** The edge of an item that overflowed. */
export const edgeOf = (item: Item): EdgeInScope => {
  const sk = item['sk']?.S ?? '';
  return { ...downstreamOf(sk), from: sk.slice(itemKeyLength + 1, itemKeyLength + 1 + nodeIdLength) as NodeId };
};
