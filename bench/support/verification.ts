export type VerifyOptions = {
  /** A sample of what the whole looks at. */
  readonly quick: boolean;
  /** All single faults of long flows too, of which else a sample is looked at. */
  readonly exhaustive: boolean;
  /** The same seed looks at the same. */
  readonly seed: number;
  /** What the names of the flows to look at have in them. */
  readonly flow: string;
};

/** What one step of a part looked at, by what it was. */
type Verified = {
  readonly violations: readonly unknown[];
  readonly [count: string]: unknown;
};

export type Verification = AsyncGenerator<Verified>;
