import type { DiffProject, LineageDiff } from '../../../contract/diff.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { IsSpent } from '../../traversal/evaluate.ts';
import { type GraphQueryPorts, openGraph } from '../../traversal/open-graph.ts';
import type { Cost, Metering } from '../metering.ts';
import { type DiffProjectPorts, diffProject } from './diff-project.ts';

export type DiffBranchPorts = GraphQueryPorts &
  Pick<DiffProjectPorts, 'scopes' | 'details' | 'sqlParser' | 'deliveries' | 'payloads'> & {
    readonly metering: Metering;
  };

/** Whether a comparison has taken its share of what it may ask of the store. */
export const isSpent =
  (spent: () => Cost): IsSpent =>
  (share = 1) =>
    spent().requests >= share * limits.diff.requests;

/** Compares a branch with its live scope within the bounds of a comparison. Throws as `diffProject`, and `not_found` of a connector. */
export async function diffBranch(
  ports: DiffBranchPorts,
  workspace: WorkspaceId,
  project: DiffProject,
  now: Date,
): Promise<LineageDiff> {
  const { answer, cost } = await ports.metering(async (spent) => {
    const { connector, reading } = await openGraph(ports, workspace, project.connector_id, now);
    return diffProject({ ...reading, isSpent: isSpent(spent) }, connector, workspace, project);
  });
  return { ...answer, cost };
}
