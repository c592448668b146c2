import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from './ids.ts';
import type { Micros } from './order.ts';

/** Events of one run that are alike but for their time: a streaming run repeats itself for weeks. */
export type RunRecord<Content> = { readonly content: Content; readonly first: Micros; readonly last: Micros };

/** What is known of one run, by the digest of the content. */
export type RunRecords<Content> = ReadonlyMap<string, RunRecord<Content>>;

/** One of a job's runs. */
export type StoredRun<Content> = { readonly runId: string; readonly records: RunRecords<Content> };

/** What is known of the runs of jobs: adding is commutative and idempotent. */
export type RunStore<Content> = {
  /** Adds events of one run, and answers with all that is known of it, and whether any of it was known before. */
  readonly add: (
    workspace: WorkspaceId,
    job: ScopeId,
    run: {
      readonly runId: string;
      readonly records: RunRecords<Content>;
      /** Whether the events begin the run, of which then hardly anything is known. */
      readonly isBegun?: boolean;
      /** Unix seconds after which the run is forgotten. */
      readonly expiresAt: number;
    },
  ) => Promise<{ readonly records: RunRecords<Content>; readonly repeated: boolean }>;
  /** All that is known of a run, read consistently; of the records that are given the contents are not read again. */
  readonly read: (
    workspace: WorkspaceId,
    job: ScopeId,
    runId: string,
    known?: RunRecords<Content>,
  ) => Promise<RunRecords<Content>>;
  /** All runs of a job but one, a few at a time: costly, and only needed where an observation is retracted. */
  readonly otherRuns: (workspace: WorkspaceId, job: ScopeId, runId: string) => AsyncIterable<StoredRun<Content>>;
};
