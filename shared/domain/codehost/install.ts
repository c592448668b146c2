import { timingSafeEqual } from 'node:crypto';
import type {
  AddInstallation,
  Installation,
  InstallationCallback,
  StartInstallation,
} from '../../contract/codehost-installations.ts';
import { limits } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { Author } from '../workspaces/access/records.ts';
import { hashOf } from '../workspaces/access/secret.ts';
import { type App, requireApp } from './apps.ts';
import { HostFailure } from './code-host.ts';
import { showInstallation } from './installations.ts';
import { keepInstallation } from './keep-installation.ts';
import type { CodehostPorts } from './ports.ts';
import type { InstallationStart } from './records.ts';

/** Where the host installs an app; the state that it sends back is good once, for this user, for ten minutes. Throws `not_found` and `conflict`. */
export async function startInstallation(ports: CodehostPorts, author: Author, request: StartInstallation) {
  const { workspace, userId } = author;
  const app = await requireApp(ports, workspace, request.codehost_app_config_id);
  const page = ports.hosts[app.kind].addresses.installation(app);
  if (page === null) throw new Problem('conflict', noPage);
  const expires = ports.clock.now().getTime() + limits.codehost.startSeconds * 1_000;
  await ports.registry.starts.begin({
    workspace_id: workspace,
    user_id: userId,
    config_id: app.id,
    state_hash: hashOf(request.state),
    expires_at: new Date(expires).toISOString(),
  });
  const url = new URL(page);
  url.searchParams.set('state', request.state);
  return {
    workspace_id: workspace,
    mode: app.mode,
    app_slug: app.app_slug,
    install_url: url.href,
    codehost_app_config_id: app.id,
  };
}

const noPage = {
  message: 'The host has no page that installs this app. Add the installation with POST /v1/codehost/installations.',
};

/**
 * Takes an installation only by its number: of an app of the workspace's own, whose installations are all the workspace's.
 * Of the deployment's app a number proves nothing. Throws `not_found` and `conflict`.
 */
export async function addInstallation(
  ports: CodehostPorts,
  author: Author,
  request: AddInstallation,
): Promise<Installation> {
  const app = await requireApp(ports, author.workspace, request.codehost_app_config_id);
  if (app.mode === 'service')
    throw new Problem('conflict', { message: 'Start the installation of the service’s app in the workspace.' });
  return showInstallation(ports, await keepInstallation(ports, author, app, request.installation_id), app);
}

/**
 * Takes an installation that the caller started. The start is taken by the first callback, right or wrong; one whose
 * `setup_action` says that an installation was changed needs none, and finds what is there. Throws `invalid_grant`,
 * `not_found` and `conflict`.
 */
export async function finishInstallation(
  ports: CodehostPorts,
  author: Author,
  request: InstallationCallback,
): Promise<Installation> {
  const start = await ports.registry.starts.take(author.workspace, author.userId);
  const isStarted = start !== null && isValid(start, request, ports.clock.now());
  if (!isStarted && !(request.state === null && (await isThere(ports, author, request))))
    throw new Problem('invalid_grant', notStarted);
  const named = request.codehost_app_config_id ?? (isStarted ? start.config_id : null);
  const app = await requireApp(ports, author.workspace, named);
  await requirePerson(ports, app, request);
  return showInstallation(ports, await keepInstallation(ports, author, app, request.installation_id), app);
}

const notStarted = { message: 'The state was already used, has expired or belongs to another caller.' };

function isValid(
  { state_hash, expires_at, config_id }: InstallationStart,
  request: InstallationCallback,
  now: Date,
): boolean {
  const isSame =
    request.state === null ||
    timingSafeEqual(Buffer.from(state_hash, 'hex'), Buffer.from(hashOf(request.state), 'hex'));
  const isOfApp = request.codehost_app_config_id === null || request.codehost_app_config_id === config_id;
  return isSame && isOfApp && expires_at > now.toISOString();
}

async function isThere(
  { registry }: CodehostPorts,
  { workspace }: Author,
  request: InstallationCallback,
): Promise<boolean> {
  if (request.setup_action !== 'update') return false;
  const all = await registry.installations.list(workspace);
  return all.some(({ installation_id }) => installation_id === request.installation_id);
}

/** Of the deployment's app, the host has to say that the person may see the installation: it is no secret which there are. */
async function requirePerson(
  { hosts, secrets }: CodehostPorts,
  app: App,
  request: InstallationCallback,
): Promise<void> {
  const known = request.code === null ? null : await secrets.get(app.secrets_ref);
  const client =
    known?.client_secret && app.client_id ? { clientId: app.client_id, clientSecret: known.client_secret } : null;
  if (request.code === null || client === null) {
    if (app.mode === 'service')
      throw new Problem('invalid_grant', { message: 'The callback has no code from the host.' });
    return;
  }
  const sees = await hosts[app.kind].apps
    .personSees({ ...app, ...client }, request.code, request.installation_id)
    .catch((error) => {
      if (error instanceof HostFailure && app.mode === 'customer_owned') return true;
      throw error instanceof HostFailure ? new Problem('invalid_grant', { message: error.message }) : error;
    });
  if (!sees)
    throw new Problem('invalid_grant', {
      message: 'The host account of this user has no access to this installation.',
    });
}
