import * as v from 'valibot';
import { WorkspaceId } from '../../contract/ids.ts';
import { Name } from './inputs.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type OperatorPorts,
  requireValid,
  updateRecord,
} from './operator.ts';
import type { Workspace } from './records.ts';

/** Makes a workspace, or finds the one of that name. */
export function createWorkspace(
  ports: OperatorPorts,
  input: { readonly name: string; readonly pats_enabled?: boolean },
): Promise<CreatedOrFound<Workspace>> {
  const name = requireValid(Name, input.name);
  const id = v.parse(WorkspaceId, idFromName('ws', name));
  const { workspaces } = ports.registry;
  return createOrFind(ports, {
    find: () => workspaces.find({ id }),
    make: () => {
      const { pats_enabled = true } = input;
      const record = { id, name, pats_enabled, created_at: ports.clock.now().toISOString() };
      const auditAction = { workspace_id: id, action: 'workspace.create', subject: { name, pats_enabled } };
      return { record, writes: [workspaces.create(record)], auditAction };
    },
  });
}

/** Lets a workspace honour personal access tokens or not; those made before are blocked, and revived, at once. */
export function setPatsEnabled(ports: OperatorPorts, id: WorkspaceId, pats_enabled: boolean): Promise<Workspace> {
  const { workspaces } = ports.registry;
  return updateRecord(ports, {
    find: () => workspaces.find({ id }),
    next: (found) => {
      if (found.record.pats_enabled === pats_enabled) return null;
      const record = { ...found.record, pats_enabled };
      const auditAction = { workspace_id: id, action: 'workspace.set_pats', subject: { pats_enabled } };
      return { record, writes: [workspaces.replace(found, record)], auditAction };
    },
  });
}
