/** Where tasks stopped that no run can end: a place that is lost or old costs work done twice, and nothing else. */
export type SweepCheckpoints = {
  /** Null where the task begins at the start. */
  readonly read: (task: string) => Promise<unknown>;
  readonly write: (task: string, place: unknown) => Promise<void>;
};
