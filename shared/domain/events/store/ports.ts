import type { RowOrigin } from '../../../contract/collection.ts';
import type { LakeObject } from '../../../contract/lake.ts';

/** An event id is unique within its workspace, project and environment. */
export type EventKey = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment'> & { readonly id: string };

/** Whose value an event id has, and which run has undertaken to store it. */
export type EventClaim = { readonly batchId: string; readonly runId: string };

export type RunOutcome = 'committed' | 'abandoned';

export type EventLedger = {
  /** Claims an id that nobody has claimed, atomically: null, or the claim that stands. */
  readonly claim: (key: EventKey, claim: EventClaim) => Promise<EventClaim | null>;
  /** Moves a claim to another run of the same batch where it still is what it was: null, or the claim that stands. */
  readonly moveClaim: (key: EventKey, from: EventClaim, runId: string) => Promise<EventClaim | null>;
  /** Decides about a run once and for ever: whoever comes first, the outcome that stands. */
  readonly settleRun: (runId: string, outcome: RunOutcome) => Promise<RunOutcome>;
};

export type EventLake = {
  /** Keeps bytes where no query sees them. */
  readonly stage: (object: LakeObject, bytes: Uint8Array) => Promise<void>;
  /** Null where nothing is staged, or no longer. */
  readonly staged: (object: LakeObject) => Promise<Uint8Array | null>;
  readonly unstage: (object: LakeObject) => Promise<void>;
  /** Shows the bytes to every query; the same bytes may be published again. */
  readonly publish: (object: LakeObject, bytes: Uint8Array) => Promise<void>;
};

export type StorePorts = {
  readonly ledger: EventLedger;
  readonly lake: EventLake;
  readonly newRunId: () => string;
  /** Waits where the error says that the ledger was too busy for an attempt, longer after each; false of other errors. */
  readonly waitOut: (error: unknown, attempt: number) => Promise<boolean>;
};
