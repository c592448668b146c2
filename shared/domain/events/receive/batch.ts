/** A parsed body whose key is known and whose events are not yet looked at: C-ERROR-7 puts the key's checks between. */
export type Batch = {
  readonly projectKey: string;
  readonly size: number;
  /** The events as compact JSON, one text each; throws the Problem of the first rule that any of them breaks. */
  readonly lines: (receivedAt: string) => readonly string[];
};
