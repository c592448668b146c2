import type { Installation } from '../../contract/codehost-installations.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { type Author, auditEntry } from '../workspaces/access/records.ts';
import { type App, appsOf, showApp } from './apps.ts';
import type { CodeHost } from './code-host.ts';
import type { CodehostPorts } from './ports.ts';
import type { InstallationRecord } from './records.ts';

const levels: readonly (string | undefined)[] = [undefined, 'read', 'write', 'admin'];

/** The permissions that an installation lacks, as `name: level`. */
const missingPermissions = (needed: CodeHost['permissions'], granted: Readonly<Record<string, string>>): string[] =>
  Object.entries(needed)
    .filter(([name, level]) => levels.indexOf(granted[name]) < levels.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);

/** What clients see of an installation, with the app that it is of. */
export function showInstallation(
  { hosts }: Pick<CodehostPorts, 'hosts'>,
  { config_id, ...record }: InstallationRecord,
  app: App | undefined,
): Installation {
  const isKnown = record.status !== 'unverified';
  return {
    ...record,
    id: `${config_id}.${record.installation_id}`,
    codehost_app_config_id: config_id,
    app_id: app?.app_id ?? null,
    app_slug: app?.app_slug ?? null,
    api_base_url: app?.api_base_url ?? null,
    codehost_base_url: app?.codehost_base_url ?? null,
    missing_permissions: isKnown && app ? missingPermissions(hosts[app.kind].permissions, record.permissions) : [],
  };
}

export async function listInstallations(ports: CodehostPorts, workspace: WorkspaceId) {
  const [apps, records] = [await appsOf(ports, workspace), await ports.registry.installations.list(workspace)];
  return {
    workspace_id: workspace,
    app_slug: apps[0]?.app_slug ?? null,
    configs: apps.map(showApp),
    configured: apps.length > 0,
    installations: records.map((one) =>
      showInstallation(
        ports,
        one,
        apps.find(({ id }) => id === one.config_id),
      ),
    ),
  };
}

/** Whether an account has a repository: itself, or in one of its groups. */
export const hasRepository = ({ account_login }: InstallationRecord, repository: string): boolean =>
  account_login !== null && `${repository}/`.toLowerCase().startsWith(`${account_login}/`.toLowerCase());

/** Forgets an installation by its own id or the host's. Throws `not_found` and `conflict`. */
export async function removeInstallation(ports: CodehostPorts, author: Author, named: string): Promise<void> {
  const all = await ports.registry.installations.list(author.workspace);
  const found = all.find(
    ({ config_id, installation_id }) => installation_id === named || `${config_id}.${installation_id}` === named,
  );
  if (!found) throw new Problem('not_found');
  await removalOf(ports, author, found);
}

/** Forgets a record with its place. Throws `conflict`. */
export async function removalOf(
  ports: CodehostPorts,
  { workspace, userId }: Author,
  record: InstallationRecord,
): Promise<void> {
  const { registry } = ports;
  const { config_id, installation_id, account_login } = record;
  const subject = { config_id, installation_id, account_login };
  const audit = auditEntry(ports, userId, { workspace_id: workspace, action: 'codehost_installation.delete', subject });
  const writes = [registry.installations.remove(record), registry.installationPlaces.remove(record)];
  if (!(await registry.commit([...writes, registry.audit.create(audit)]))) throw new Problem('conflict');
}
