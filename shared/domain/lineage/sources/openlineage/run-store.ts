import type { Edge } from '../../graph/claim-writer.ts';
import type { Derivation } from '../../graph/derivation.ts';
import type { GraphId, ScopeId, Urn } from '../../graph/node.ts';
import type { Micros, ParentRun, Span } from '../../graph/order.ts';
import type { Described } from '../../graph/schema.ts';
import type { Contribution } from './contribution.ts';

/** Events of one run that are alike except for their time: a streaming run repeats itself for weeks. */
export type RunRecord = Span & { readonly content: Contribution };

export type RunRecords = ReadonlyMap<string, RunRecord>;

export type StoredRun = {
  readonly runId: string;
  /** The run that started it, if its events name one. */
  readonly parentRun?: ParentRun | undefined;
  readonly records: RunRecords;
};

/** Events of one run. */
export type AddedEvents = StoredRun & {
  /** Whether they begin the run, so that little is known. */
  readonly isBegun?: boolean;
  /** Unix seconds after which the run is forgotten. */
  readonly expiresAt: number;
};

/** What is known of the runs of jobs: adding is commutative and idempotent. */
export type RunStore = {
  /** Adds events of one run, and answers with all that is known of it, and whether any of it was known before. */
  readonly add: (
    graph: GraphId,
    job: ScopeId,
    run: AddedEvents,
  ) => Promise<Omit<StoredRun, 'runId'> & { readonly repeated: boolean }>;
  /** All that is known of a run, read consistently; of the records that are given the contents are not read again. */
  readonly read: (graph: GraphId, job: ScopeId, runId: string, known?: RunRecords) => Promise<RunRecords>;
  /** All runs of a job but one, a few at a time: costly, and only needed where an observation is retracted. */
  readonly otherRuns: (graph: GraphId, job: ScopeId, runId: string) => AsyncIterable<StoredRun>;
};

export type RunLineage = {
  /** When the run's lineage was observed; null until something publishes it. */
  readonly observed: Span | null;
  readonly derivations: readonly Derivation[];
  /** What it reads, if it reports no output (C-OPENLINEAGE-27). */
  readonly reads: readonly Urn[];
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
