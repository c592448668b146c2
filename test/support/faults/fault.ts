/** What may happen to one request to a store. */
export const faultKinds = [
  /** It fails and has no effect. */
  'refused',
  /** It takes effect, and fails. */
  'unanswered',
  /** It takes effect, its answer is lost, and the client of the store sends it again. */
  'repeated',
  /** The process ends before it is sent. */
  'cut_before',
  /** The process ends once it took effect. */
  'cut_after',
  /** It waits while others work, and whoever called its process waits for it. */
  'delayed',
  /** It waits until nobody else has anything to do; who waited for the process has given it up. */
  'overtaken',
  /** It waits until all else that is sent has come to its end. */
  'stalled',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What a client of a store throws that has given up. */
export class StoreOutOfReach extends Error {
  override readonly name = 'StoreOutOfReach';
}
