import * as v from 'valibot';
import type { AppConfig } from '../../contract/codehost-apps.ts';
import { AppConfigId, idOrNull, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { AppCredentials } from './code-host.ts';
import type { CodehostReader, SecretStore } from './ports.ts';
import type { AppRecord, AppSecrets } from './records.ts';

/** The id of the deployment's own app, the same in every workspace. */
export const serviceAppId = v.parse(AppConfigId, 'service');

/** An app as requests of a workspace are made for it. */
export type App = Omit<AppRecord, 'created_at' | 'created_by' | 'updated_at'> & {
  readonly mode: AppConfig['mode'];
  readonly created_at: string | null;
  readonly created_by: string | null;
  readonly updated_at: string | null;
};

type AppReader = Pick<CodehostReader, 'registry' | 'serviceApp'>;

/** The workspace's own apps, the newest first, and the deployment's. */
export async function appsOf({ registry, serviceApp }: AppReader, workspace: WorkspaceId): Promise<readonly App[]> {
  const own = [...(await registry.apps.list(workspace))].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  const apps = own.map((record): App => ({ ...record, mode: 'customer_owned' }));
  return serviceApp === null ? apps : [...apps, ofService(serviceApp, workspace)];
}

/** The app of that id, or the newest where none is named. Throws `not_found`. */
export async function requireApp(ports: AppReader, workspace: WorkspaceId, id: string | null): Promise<App> {
  const found = id === null ? (await appsOf(ports, workspace))[0] : await appOf(ports, workspace, id);
  if (!found) throw new Problem('not_found', { message: 'No such app of a code host is configured.' });
  return found;
}

/** The app of that id; null if the workspace has none. */
export async function appOf(ports: AppReader, workspace: WorkspaceId, text: string): Promise<App | null> {
  const id = idOrNull(AppConfigId, text);
  if (id === serviceAppId) return ports.serviceApp && ofService(ports.serviceApp, workspace);
  const found = id && (await ports.registry.apps.find({ workspace_id: workspace, id }));
  return found ? { ...found.record, mode: 'customer_owned' } : null;
}

const ofService = (app: NonNullable<AppReader['serviceApp']>, workspace: WorkspaceId): App => ({
  ...app,
  workspace_id: workspace,
  id: serviceAppId,
  mode: 'service',
  webhook_configured: true,
  status: 'unvalidated',
  last_error: null,
  last_validated_at: null,
  created_at: null,
  created_by: null,
  updated_at: null,
});

/** What clients see of an app. */
export function showApp({ secrets_ref: _, ...app }: App): AppConfig {
  return { ...app, webhook_path: `/v1/codehost/webhooks/${app.id}` };
}

/** How the app signs in at its host; null where its secrets are gone. */
export async function credentialsOf(secrets: Pick<SecretStore, 'get'>, app: App): Promise<AppCredentials | null> {
  const found = await secrets.get(app.secrets_ref);
  return found && credentials(app, found);
}

export const credentials = (
  { app_id, api_base_url }: Pick<AppRecord, 'app_id' | 'api_base_url'>,
  { private_key }: Pick<AppSecrets, 'private_key'>,
): AppCredentials => ({ appId: app_id, apiBaseUrl: api_base_url, privateKey: private_key });
