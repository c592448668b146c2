import { newApp } from '../../../local/codehost/fake-host.ts';
import { emptyHost, type HostPull, type HostState } from '../../../local/codehost/state.ts';
import type { AppConfigId, ConnectorId } from '../../../shared/contract/ids.ts';
import { requireApp } from '../../../shared/domain/codehost/apps.ts';
import { putApp } from '../../../shared/domain/codehost/configure-app.ts';
import { keepInstallation } from '../../../shared/domain/codehost/keep-installation.ts';
import { putCheckSettings } from '../../../shared/domain/codehost/pull-requests/check-settings.ts';
import type { Author } from '../../../shared/domain/workspaces/access/records.ts';
import { codeHosts, codehostPorts } from '../../../shared/runtime/composition/codehost.ts';
import { OtherServices } from './other-services.ts';

/** A repository whose pull requests are checked, as the workspace knows it. */
export type CodehostPlace = {
  readonly app: AppConfigId;
  readonly installation: number;
  readonly repository: string;
  readonly webhookSecret: string;
  /** Its own host, on which nothing has happened yet. */
  readonly newHost: () => HostState;
};

export const codehostName = 'codehost.test';
const url = `https://${codehostName}`;
const [owner, name, installationId] = ['acme', 'shop', 900];

/** Configures an app and its installation, and has the pull requests of one repository checked. */
export async function connectCodehost(author: Author, connector: ConnectorId): Promise<CodehostPlace> {
  const { apps } = emptyHost();
  const { client_id, client_secret, ...app } = newApp({ ...emptyHost(), apps }, 'lineage');
  const newHost = () => hostWith(apps);
  const asking = new OtherServices(newHost(), '');
  const fetch = (to: string, init = {}) => asking.fetch({ url: to, ...init });
  const ports = { ...codehostPorts(), hosts: codeHosts(fetch) };
  const urls = { codehost_base_url: url, api_base_url: url };
  const workspace_id = author.workspace;
  const { id } = await putApp(ports, author, {
    workspace_id,
    ...app,
    ...urls,
    client_id,
    client_secret,
    config_id: null,
  });
  await keepInstallation(ports, author, await requireApp(ports, workspace_id, id), String(installationId));
  const repository = `${owner}/${name}`;
  await putCheckSettings(ports, author, {
    workspace_id,
    on_breaking: 'failure',
    repositories: [
      {
        repository,
        connector_id: connector,
        project_id: 'crm',
        project_path: '',
        manifest_path: null,
        artifact_name: 'manifest',
        match_by: 'relation',
      },
    ],
  });
  return { app: id, installation: installationId, repository, webhookSecret: app.webhook_secret, newHost };
}

function hostWith(apps: HostState['apps']): HostState {
  const host = emptyHost();
  host.apps.push(...apps);
  host.installations.push({
    id: installationId,
    appId: Number(apps[0]?.id),
    account: { login: owner, id: 1, type: 'Organization' },
    permissions: { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read' },
    suspendedAt: null,
  });
  host.repositories.push({
    owner,
    name,
    installationId,
    files: new Map([['main:.github/CODEOWNERS', '* @acme/data\n']]),
    branches: new Map(),
    pulls: new Map(),
    checkRuns: [],
    artifacts: [],
  });
  return host;
}

/** Has a pull request with that head in the repository of a host. */
export function push(host: HostState, number: number, head: string): void {
  const base = { ref: 'main', sha: '0'.repeat(40) };
  const pull: HostPull = { number, state: 'open', head, branch: `change-${number}`, owner, base };
  host.repositories[0]?.pulls.set(number, pull);
}
