import type { WorkspaceId } from '../../contract/ids.ts';
import type { ScopeId } from './ids.ts';
import type { Micros } from './order.ts';

/** What events of one run say that are alike but for their time: a streaming run repeats itself for weeks. */
export type Heard<Content> = { readonly content: Content; readonly first: Micros; readonly last: Micros };

/** What is known of one run, by the digest of the content. */
export type RunRecord<Content> = ReadonlyMap<string, Heard<Content>>;

/** One of a job's runs. */
export type KnownRun<Content> = { readonly runId: string; readonly record: RunRecord<Content> };

/** What is known of the runs of jobs: adding is commutative and idempotent. */
export type RunStore<Content> = {
  /** Adds what events of one run say, and answers with all that is known of it, and whether any of it was known before. */
  readonly add: (
    workspace: WorkspaceId,
    job: ScopeId,
    run: {
      readonly runId: string;
      readonly heard: RunRecord<Content>;
      /** Unix seconds after which the run is forgotten. */
      readonly expiresAt: number;
    },
  ) => Promise<{ readonly record: RunRecord<Content>; readonly repeated: boolean }>;
  /** All that is known of a run, read consistently. */
  readonly read: (workspace: WorkspaceId, job: ScopeId, runId: string) => Promise<RunRecord<Content>>;
  /** All runs of a job but one: dear, and only needed where an observation is taken back. */
  readonly others: (workspace: WorkspaceId, job: ScopeId, runId: string) => Promise<KnownRun<Content>[]>;
};
