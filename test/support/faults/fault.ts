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
  /** It waits while others work, and the caller of its process waits for it. */
  'delayed',
  /** It waits until nobody else has anything to do; who waited for the process has given it up. */
  'overtaken',
  /** It waits until all else that is sent has come to its end. */
  'stalled',
] as const;
export type FaultKind = (typeof faultKinds)[number];

const kindsOfReads: readonly FaultKind[] = ['refused', 'cut_before', 'delayed', 'stalled'];
/** The client of other services sends nothing again by itself, and waits for no answer as long as others may work. */
const kindsOfPosts: readonly FaultKind[] = ['refused', 'unanswered', 'cut_before', 'cut_after', 'delayed'];

/**
 * What may befall a request and make a difference: a read that is repeated or unanswered has done nothing.
 *
 * @param request a role and its command, or the method of a request to another service
 */
export function faultsOf(request: string): readonly FaultKind[] {
  if (/ (?:POST|PATCH)$/.test(request)) return kindsOfPosts;
  return /(?:GET|(?:Get|Query|Scan|Head)\w*)$/.test(request) ? kindsOfReads : faultKinds;
}

/** What a client of a store throws that has given up. */
export class StoreOutOfReach extends Error {
  override readonly name = 'StoreOutOfReach';
}
