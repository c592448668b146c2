import type { WorkspaceId } from '../../../contract/ids.ts';
import type { StatementKind } from '../../../contract/vocabulary.ts';
import type { Edge } from './claim-writer.ts';
import type { ColumnMapping, ProducingStatement, Unresolved } from './derivation.ts';
import type { NodeId, ScopeId } from './ids.ts';
import type { Order, RunToken } from './order.ts';
import type { NodeRange } from './page-reader.ts';

/** What one scope knows of one edge beyond its existence. */
export type EdgeDetail = {
  readonly producer: { readonly namespace: string; readonly name: string };
  /** Null where it is not known which delivery said so by the moment that is asked about. */
  readonly deliveryId: string | null;
  /** JSON pointer into the delivery's payload. */
  readonly location: string;
  readonly observedAt: string;
  /** Absent where the producer runs no model of dbt or SQLMesh. */
  readonly statement?: ProducingStatement;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
  /** In lower case; absent where nothing names one. */
  readonly engine?: string;
  readonly columns: readonly EdgeColumn[];
  /** Why columns are not, or not all, known. */
  readonly unresolved: readonly Unresolved[];
};

export type EdgeColumn = Omit<ColumnMapping, 'input'>;

export type EdgeInScope = { readonly from: NodeId; readonly to: NodeId; readonly scope: ScopeId };

/** Tells edges in scopes apart: no id has a space. */
export const edgeInScopeName = ({ from, to, scope }: EdgeInScope): string => `${from} ${to} ${scope}`;

/** The same as live claims name it. */
export type ClaimedEdge = EdgeInScope & {
  /** The newest order that claims it at the moment of a view, null where it was observed. */
  readonly order: Order | null;
  /** The claim is history, in which newer partial orders may have been joined to it. */
  readonly joined?: true;
};

/** What was stated of an edge under one order. */
export type DetailVersion = { readonly order: Order; readonly detail: EdgeDetail };

/** The newest detail of an edge, and where it replaced others that readers may still see, all of them, newest first. */
export type FoundDetail = EdgeInScope & DetailVersion & { readonly versions?: readonly DetailVersion[] };

export type DetailStore = {
  /**
   * Keeps the detail of the newest order; an older one that comes late changes nothing. With `hasTakenEffect`, which tells
   * it of earlier orders, what is replaced is kept too until something newer has taken effect.
   */
  readonly put: (
    workspace: WorkspaceId,
    details: readonly (EdgeInScope & DetailVersion)[],
    hasTakenEffect: ((order: Order) => boolean) | null,
  ) => Promise<void>;
  /** Forgets what a run stated of edges of an observed scope, where no newer statement has come since; answers which. */
  readonly forget: (
    workspace: WorkspaceId,
    scope: ScopeId,
    run: RunToken,
    edges: readonly Edge[],
  ) => Promise<readonly Edge[]>;
  readonly get: (workspace: WorkspaceId, edges: readonly EdgeInScope[]) => Promise<FoundDetail[]>;
  /** The details of all edges to some nodes of one shard, also of edges that are no longer live. */
  readonly ofNodes: (workspace: WorkspaceId, nodes: NodeRange) => Promise<FoundDetail[]>;
  /** Removes the details that are of that order or an older one. */
  readonly forgetUpTo: (workspace: WorkspaceId, edges: readonly EdgeInScope[], order: Order) => Promise<void>;
};
