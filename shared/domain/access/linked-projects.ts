import { text } from '../../contract/fields.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import {
  type CreatedOrFound,
  createOrFind,
  type OperatorPorts,
  removeRecord,
  requireValid,
  requireWorkspace,
} from './operator.ts';
import type { LinkedProjectRecord } from './records.ts';

const ProjectId = text(limits.declared.projectId);

/** Lets the workspace take snapshots of a dbt or SQLMesh project under its stable id. */
export async function linkProject(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  project: string,
): Promise<CreatedOrFound<LinkedProjectRecord>> {
  const project_id = requireValid(ProjectId, project);
  await requireWorkspace(ports, workspace_id);
  const { linkedProjects } = ports.registry;
  return createOrFind(ports, {
    find: () => linkedProjects.find({ workspace_id, project_id }),
    make: () => {
      const record = { workspace_id, project_id, created_at: ports.clock.now().toISOString() };
      const auditAction = { workspace_id, action: 'linked_project.link', subject: { project_id } };
      return { record, writes: [linkedProjects.create(record)], auditAction };
    },
  });
}

/** Ends the link; the project's lineage stays. */
export async function unlinkProject(
  ports: OperatorPorts,
  workspace_id: WorkspaceId,
  project_id: string,
): Promise<boolean> {
  const { linkedProjects } = ports.registry;
  const auditAction = { workspace_id, action: 'linked_project.unlink', subject: { project_id } };
  const found = await linkedProjects.find({ workspace_id, project_id });
  return removeRecord(ports, found, (record) => [linkedProjects.remove(record)], auditAction);
}
