import { randomUUID } from 'node:crypto';
import type { LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { limits } from '../../../../contract/limits.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { Connector } from '../../names/connector.ts';

/** `masked`: the connector masked literals when it was answered. */
export type StoredComparison = { readonly diff: LineageDiff; readonly masked: boolean };

/** Comparisons of a workspace; each is deleted by the store itself some time after it expired. */
export type ComparisonStore = {
  readonly put: (workspace: WorkspaceId, id: string, comparison: StoredComparison) => Promise<void>;
  readonly get: (workspace: WorkspaceId, id: string) => Promise<StoredComparison | null>;
};

type Archive = {
  /** Null if nothing is kept: of files on a disk. */
  readonly comparisons: ComparisonStore | null;
  readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
};

const keptMs = limits.diff.keptDays * 86_400_000;

/** Keeps the answer for a month, so that others read the same verdict. */
export async function keepComparison(
  { comparisons, connectorsOf }: Archive,
  workspace: WorkspaceId,
  answer: LineageDiff,
  now: Date,
): Promise<LineageDiff> {
  if (comparisons === null) return answer;
  const kept = { comparison_id: randomUUID(), until: new Date(now.getTime() + keptMs).toISOString() };
  const diff = { ...answer, kept };
  const masked = masks(await connectorsOf(workspace), diff) ?? false;
  await comparisons.put(workspace, kept.comparison_id, { diff, masked });
  return diff;
}

/** Throws `not_found` also if its connector is gone, or masks literals that the answer still has. */
export async function readComparison(
  { comparisons, connectorsOf }: Archive,
  workspace: WorkspaceId,
  id: string,
  now: Date,
): Promise<LineageDiff> {
  const found = await comparisons?.get(workspace, id);
  const connectors = await connectorsOf(workspace);
  const masked = found ? masks(connectors, found.diff) : null;
  const isExpired = (found?.diff.kept?.until ?? '') <= now.toISOString();
  if (!found || masked === null || (masked && !found.masked) || isExpired)
    throw new Problem('not_found', { message: 'This comparison does not exist, or it has expired.' });
  return found.diff;
}

/** Whether the comparison's connector masks literals; null if the workspace has no such connector. */
function masks(connectors: readonly Connector[], { connector_id }: LineageDiff): boolean | null {
  const connector = connectors.find(({ id }) => id === connector_id);
  return connector ? connector.expression_literals === 'masked' : null;
}
