import type { GraphId, NodeId, ScopeId } from './node.ts';

/** A run that was reported and has no end yet. */
export type UnfinishedRun = {
  readonly job: { readonly namespace: string; readonly name: string };
  readonly providerInstanceId: string;
  /** ISO time of its first event. */
  readonly since: string;
  /** The relations that it names. */
  readonly nodes: readonly NodeId[];
};

/** The runs without an end, for some days. Putting and removing are idempotent. */
export type UnfinishedRuns = {
  readonly put: (graph: GraphId, job: ScopeId, runId: string, run: UnfinishedRun) => Promise<void>;
  readonly remove: (graph: GraphId, job: ScopeId, runId: string) => Promise<void>;
  /** At most `limit` of them, in any order. */
  readonly list: (graph: GraphId, limit: number) => Promise<readonly UnfinishedRun[]>;
};
