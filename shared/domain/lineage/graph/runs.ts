import type { Edge } from './claim-writer.ts';
import type { Derivation } from './derivation.ts';
import type { GraphId, NodeId, ScopeId, Urn } from './node.ts';
import type { Micros, Span } from './order.ts';
import type { Described } from './schema.ts';

/** Events of one run that are alike except for their time: a streaming run repeats itself for weeks. */
export type RunRecord<Content> = Span & { readonly content: Content };

export type RunRecords<Content> = ReadonlyMap<string, RunRecord<Content>>;

export type StoredRun<Content> = { readonly runId: string; readonly records: RunRecords<Content> };

/** What is known of the runs of jobs: adding is commutative and idempotent. */
export type RunStore<Content> = {
  /** Adds events of one run, and answers with all that is known of it, and whether any of it was known before. */
  readonly add: (
    graph: GraphId,
    job: ScopeId,
    run: {
      readonly runId: string;
      readonly records: RunRecords<Content>;
      /** Whether the events begin the run, so that little is known. */
      readonly isBegun?: boolean;
      /** Unix seconds after which the run is forgotten. */
      readonly expiresAt: number;
    },
  ) => Promise<{ readonly records: RunRecords<Content>; readonly repeated: boolean }>;
  /** All that is known of a run, read consistently; of the records that are given the contents are not read again. */
  readonly read: (
    graph: GraphId,
    job: ScopeId,
    runId: string,
    known?: RunRecords<Content>,
  ) => Promise<RunRecords<Content>>;
  /** All runs of a job but one, a few at a time: costly, and only needed where an observation is retracted. */
  readonly otherRuns: (graph: GraphId, job: ScopeId, runId: string) => AsyncIterable<StoredRun<Content>>;
};

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

export type RunLineage = {
  /** When the run's lineage was observed; null until something publishes it. */
  readonly observed: Span | null;
  readonly derivations: readonly Derivation[];
  /** The columns in its events, with times. */
  readonly schemas: readonly (Described & Span)[];
  readonly aliases: readonly { readonly alias: Urn; readonly canonical: Urn }[];
  readonly renames: readonly { readonly from: Urn; readonly to: Urn; readonly at: Micros }[];
  readonly drops: readonly { readonly node: Urn; readonly at: Micros }[];
  /** If the run has not ended: the relations that it names. */
  readonly unfinished: readonly Urn[];
  /** Every edge that a part of the known events could have published. */
  readonly possible: () => readonly Edge[];
};
