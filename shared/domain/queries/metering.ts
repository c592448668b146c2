/** What an answer took of the store, as if the process remembered nothing: the same question costs the same. */
export type Cost = {
  /** DynamoDB read units. */
  readonly read_units: number;
  readonly requests: number;
};

/** Does work and tells what its reads cost, the work itself at any time. */
export type Metering = <T>(
  work: (spent: () => Cost) => Promise<T>,
) => Promise<{ readonly answer: T; readonly cost: Cost }>;
