/** What AWS allows an account in one Region without a raised quota, per second unless stated otherwise. */
export const aws = {
  /** Invocations at once of all functions. */
  lambdaConcurrency: 1_000,
  /** Units of an on-demand table; a new one takes less, as `newTable` has it. */
  tableWrites: 40_000,
  tableReads: 40_000,
  /** Units of a partition, and so of an item. */
  partitionWrites: 1_000,
  partitionReads: 3_000,
  /** An on-demand table takes twice its highest load so far within this many minutes. */
  tableDoublesMinutes: 30,
  /** A function of this many MiB has one processor. */
  processorMiB: 1_769,
} as const;

/** Taken, not measured: what a request to a store takes inside a Region, and how long an index lists at once. */
export const assumed = { roundTripMs: 5 } as const;
