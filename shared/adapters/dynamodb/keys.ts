import { createHash } from 'node:crypto';
import type { CollectionProjectId, ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { Side } from '../../domain/graph/claim.ts';
import { type NodeId, type ScopeId, shardCount, shardOf } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';

/**
 * Every key of the tables, and nothing else spells one. Each takes a branded WorkspaceId first,
 * so that a key across workspaces cannot be written; the ids hold no `#`.
 */
export type Key = { readonly pk: string; readonly sk: string };

// ---- Graph (design: scope floors and neighbour pages) ----

const twoDigits = (n: number) => String(n).padStart(2, '0');
const sideLetter = { out: 'O', in: 'I' } as const;

/** A page of a node's neighbours: page 0 lies in the node's shard, so that one shard is one walk over its nodes. */
export const pageKey = (workspace: WorkspaceId, side: Side, node: NodeId, page: number): Key =>
  page === 0
    ? { pk: `W#${workspace}#${sideLetter[side]}#${twoDigits(shardOf(node))}`, sk: `${node}#00000` }
    : {
        pk: `W#${workspace}#${sideLetter[side]}B#${twoDigits((shardOf(node) + page) % shardCount)}`,
        sk: `${node}#${String(page).padStart(5, '0')}`,
      };

/** Where a page's dead claims are kept for the retention of history. */
export const coldPageKey = (workspace: WorkspaceId, side: Side, node: NodeId, page: number): Key => {
  const hot = pageKey(workspace, side, node, page);
  return { pk: `${hot.pk}#H`, sk: hot.sk };
};

/** The partition of all pages 0 of one shard, ordered by node. */
export const pageShard = (workspace: WorkspaceId, side: Side, shard: number): string =>
  `W#${workspace}#${sideLetter[side]}#${twoDigits(shard)}`;

/** What one scope knows of one edge beyond its existence; all of one downstream node lie together. */
export const edgeDetailKey = (workspace: WorkspaceId, from: NodeId, to: NodeId, scope: ScopeId): Key => ({
  pk: `W#${workspace}#C#${twoDigits(shardOf(to))}`,
  sk: `${to}#${from}#${scope}`,
});

export const scopeHeadKey = (workspace: WorkspaceId, scope: ScopeId): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: 'HEAD',
});

/** The heads of a workspace, listed by scope key. */
export const scopeHeadIndex = (workspace: WorkspaceId): string => `W#${workspace}#SCOPES`;

/** One order of a scope: when it took effect, and where its edges are listed. */
export const scopeOrderKey = (workspace: WorkspaceId, scope: ScopeId, order: Order): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: `H#${order}`,
});

/** The partition of the due index that lists orders whose claims wait to be pruned. */
export const pruneIndex = 'PRUNE';

/** What is known of one run of a job; the runs of a job lie together. */
export const runKey = (workspace: WorkspaceId, job: ScopeId, runId: string): Key => ({
  pk: `W#${workspace}#J#${job}`,
  sk: `R#${runId}`,
});

/** Says that a connector has relations in the graph. */
export const connectorGraphKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: `W#${workspace}#N#${connector}`,
  sk: 'GRAPH',
});

/** The directory of a connector's relations by their last name part, lower-cased. */
export const relationKey = (workspace: WorkspaceId, connector: ConnectorId, table: string, ref: string): Key => ({
  pk: `W#${workspace}#N#${connector}#${table}`,
  sk: `R#${ref}`,
});

// ---- Ledger of event ids (its own table, pk alone) ----

/** An event id's claim: hashed, because an id may hold any character and the parts have to stay apart. */
export const eventClaimKey = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  environment: string,
  id: string,
) => ({
  pk: `E#${createHash('sha256')
    .update(JSON.stringify([workspace, project, environment, id]))
    .digest('base64url')}`,
});

/** Whether a run of the event store has committed or was abandoned; a run is no workspace's, and its id a fresh UUID. */
export const storeRunKey = (runId: string) => ({ pk: `R#${runId}` });
