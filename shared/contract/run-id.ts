/** The id of a run of the event store: a UUID of version 7 (RFC 9562, 5.7), so that ids have the order of their times. */
export function runIdAt(at: Date, randomUuid: string): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUuid.slice(15)}`;
}

/** When a run began, in milliseconds; null for an id that is random throughout, as those of 0.1.0 were. */
export const beginningOf = (runId: string): number | null =>
  runId.charAt(14) === '7' ? Number.parseInt(`${runId.slice(0, 8)}${runId.slice(9, 13)}`, 16) : null;
