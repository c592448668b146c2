export type VerifyOptions = {
  /** A sample of the full run. */
  readonly quick: boolean;
  /** Also all single faults of long flows, instead of a sample. */
  readonly exhaustive: boolean;
  /** The same seed looks at the same. */
  readonly seed: number;
  /** What the names of the flows to look at have in them. */
  readonly flow: string;
};

/** The counts of one step of a part, by kind. */
type Verified = {
  readonly violations: readonly unknown[];
  readonly [count: string]: unknown;
};

export type Verification = AsyncGenerator<Verified>;
