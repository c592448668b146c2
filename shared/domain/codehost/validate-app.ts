import * as v from 'valibot';
import { type AppConfigValidation, CodehostKind, type ValidateAppConfig } from '../../contract/codehost-apps.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { type App, appOf, credentials, credentialsOf, requireApp, showApp } from './apps.ts';
import { type AppCredentials, type AppsOfHost, HostFailure } from './code-host.ts';
import { urlsOf } from './configure-app.ts';
import type { CodehostPorts } from './ports.ts';

type Answer = { readonly app: { readonly id: string; readonly slug: string } | null; readonly message: string | null };

/** Validates an app's key with the host. Stores the result only for a configured app. */
export async function validateApp(
  ports: CodehostPorts,
  workspace: WorkspaceId,
  request: ValidateAppConfig,
): Promise<AppConfigValidation> {
  const { app_id, app_slug, private_key } = request;
  if (app_id !== null && private_key !== null) {
    const kind = v.parse(CodehostKind, request.kind ?? undefined);
    const { api_base_url } = urlsOf(ports, kind, request);
    const { apps } = ports.hosts[kind];
    const answer = await askHost(apps, credentials({ app_id, api_base_url }, { private_key }), app_id, app_slug);
    return { ...shown(answer), config: null };
  }
  const app = await requireApp(ports, workspace, request.config_id);
  const known = await credentialsOf(ports.secrets, app);
  const answer = known
    ? await askHost(ports.hosts[app.kind].apps, known, app.app_id, app.app_slug)
    : { app: null, message: 'The secrets of the app are missing. Configure the app again.' };
  return { ...shown(answer), config: showApp(await store(ports, app, answer)) };
}

const shown = ({ app, message }: Answer) => ({
  valid: message === null,
  app_id: app?.id ?? null,
  app_slug: app?.slug ?? null,
  message,
});

async function askHost(apps: AppsOfHost, known: AppCredentials, appId: string, slug: string | null): Promise<Answer> {
  try {
    const app = await apps.app(known);
    if (app.id !== appId) return { app, message: 'The key belongs to another app.' };
    if (slug !== null && app.slug !== slug) return { app, message: 'The host knows the app by another slug.' };
    return { app, message: null };
  } catch (error) {
    if (error instanceof HostFailure) return { app: null, message: error.message };
    throw error;
  }
}

/** Where the app was changed meanwhile, that change has not been validated. */
async function store(ports: CodehostPorts, app: App, { message }: Answer): Promise<App> {
  const { registry, clock } = ports;
  if (app.mode === 'service') return { ...app, status: message === null ? 'valid' : 'invalid', last_error: message };
  const found = await registry.apps.find(app);
  if (!found) throw new Problem('not_found');
  if (found.record.secrets_ref === app.secrets_ref) {
    const status = message === null ? ('valid' as const) : ('invalid' as const);
    const last_validated_at = clock.now().toISOString();
    await registry.commit([
      registry.apps.replace(found, { ...found.record, status, last_error: message, last_validated_at }),
    ]);
  }
  return (await appOf(ports, app.workspace_id, app.id)) ?? app;
}
