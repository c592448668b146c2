import { AppConfigId, idOf } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { type Author, auditEntry } from '../workspaces/access/records.ts';
import { requireApp } from './apps.ts';
import { removalOf } from './installations.ts';
import type { CodehostPorts } from './ports.ts';

/** Forgets an app of the workspace's own with its secrets and installations. Throws `not_found` and `conflict`. */
export async function removeApp(ports: CodehostPorts, author: Author, named: string | null): Promise<void> {
  const { registry, secrets } = ports;
  const { workspace, userId } = author;
  const id = idOf(AppConfigId, named ?? (await requireApp(ports, workspace, null)).id);
  const found = await registry.apps.find({ workspace_id: workspace, id });
  if (!found) throw new Problem('not_found');
  const { record } = found;
  for (const one of await registry.installations.list(workspace))
    if (one.config_id === record.id) await removalOf(ports, author, one);
  const subject = { id: record.id, app_id: record.app_id, app_slug: record.app_slug };
  const audit = auditEntry(ports, userId, { workspace_id: workspace, action: 'codehost_app.delete', subject });
  const writes = [registry.apps.remove(record), registry.appPlaces.remove({ id: record.id, workspace_id: workspace })];
  if (!(await registry.commit([...writes, registry.audit.create(audit)]))) throw new Problem('conflict');
  await secrets.remove(record.secrets_ref);
}
