import type { RowOrigin } from '../../../contract/collection.ts';
import { jsonDigest } from '../../base/digest.ts';

/**
 * A request with events that have no id and no exact time. A request with equal events is its retry, or the
 * same actions again: only if the first was not answered as stored can it be a retry.
 */
export type Attempt = {
  /** The input of the ids of the events. */
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly state: 'open' | 'stored' | 'failed';
};

export type Attempts = {
  /** For how long a retry may come after the first attempt. */
  readonly windowMs: number;
  /** Notes an attempt, and returns what was noted under the same content before. */
  readonly begin: (content: string, attempt: Attempt) => Promise<Attempt | null>;
  /** Notes what became of the attempt that began under this id, unless another one has begun since. */
  readonly note: (content: string, begun: string, attempt: Pick<Attempt, 'id' | 'state'>) => Promise<void>;
};

export const contentOf = (
  { workspace_id, project_id, environment }: Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment'>,
  events: readonly unknown[],
): string => jsonDigest([workspace_id, project_id, environment, events]).toString('base64url');

/** An attempt that is open for longer has died: its sender got no answer. */
const underWayMs = 5_000;

/** Whether an equal request at this moment is a retry of an attempt (C-COLLECT-23). */
export function isRetried({ at, state }: Attempt, now: number, windowMs: number): boolean {
  const age = now - at;
  return age < windowMs && (state === 'failed' || (state === 'open' && age > underWayMs));
}
