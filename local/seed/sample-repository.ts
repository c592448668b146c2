import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { type Api, apiOf } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { AppConfig, AppConfigList } from '../../shared/contract/codehost-apps.ts';
import { CheckSettings } from '../../shared/contract/codehost-checks.ts';
import { newToken } from '../codehost/authentication.ts';
import type { FakeApp, FakeHost } from '../codehost/fake-host.ts';
import type { HostInstallation, HostRepository } from '../codehost/state.ts';
import type { CodeHostAccess, Credentials, SeededWorkspace } from '../credentials.ts';

const slug = 'sample-lineage';
const [owner, name] = ['shop', 'warehouse'];
const repository = `${owner}/${name}`;
const manifestPath = 'target/manifest.json';
const owners = '* @shop/data\n/models/marts/ @shop/finance\n';
const permissions = { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read', metadata: 'read' };

/** The host forgets at its end and the service does not, so the app is configured at each start. */
export async function connectSample(
  host: FakeHost,
  { base_url, workspaces }: Pick<Credentials, 'base_url' | 'workspaces'>,
): Promise<CodeHostAccess | undefined> {
  const shop = workspaces['shop'];
  if (!shop) return undefined;
  const api = apiOf(base_url, shop.tokens['admin']);
  const app = host.newApp(slug);
  const installation = await installed(host, app);
  const config = await configured(api, shop, { ...app, codehost_base_url: host.url, api_base_url: host.url });
  for (const one of host.state.apps) one.webhookUrl = base_url + config.webhook_path;
  await takeInstallation(api, host, shop, { config, installation });
  await chooseChecks(api, shop);
  const token = newToken(host.state, { installationId: null, sees: [installation.id] }, Number.POSITIVE_INFINITY);
  return { url: host.url, repository, token };
}

async function installed({ state }: FakeHost, { app_id }: FakeApp): Promise<HostInstallation> {
  const account = { login: owner, id: 1, type: 'Organization' };
  const installation = { id: 1, appId: Number(app_id), account, permissions, suspendedAt: null };
  state.installations.push(installation);
  state.repositories.push(await sampleRepository(installation));
  return installation;
}

async function sampleRepository({ id }: HostInstallation): Promise<HostRepository> {
  const commit = randomBytes(20).toString('hex');
  const folder = path.join(import.meta.dirname, 'sample', 'dbt');
  const files = new Map([[`${commit}:.github/CODEOWNERS`, owners]]);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const inRepository = path.relative(folder, file).replaceAll(path.sep, '/');
    if (entry.isFile()) files.set(`${commit}:${inRepository}`, await readFile(file, 'utf8'));
  }
  const branches = new Map([['main', commit]]);
  return { owner, name, installationId: id, files, branches, pulls: new Map(), checkRuns: [], artifacts: [] };
}

const query = ({ id }: SeededWorkspace) => ({ query: { workspace_id: id } });

async function configured(
  api: Api,
  shop: SeededWorkspace,
  app: FakeApp & Pick<AppConfig, 'codehost_base_url' | 'api_base_url'>,
): Promise<AppConfig> {
  const { configs } = v.parse(AppConfigList, await api.ask(routes.listAppConfigs, query(shop)));
  const config_id = configs.find(({ app_slug }) => app_slug === slug)?.id ?? null;
  const body = { workspace_id: shop.id, config_id, ...app };
  return v.parse(AppConfig, await api.ask(routes.putAppConfig, { body }));
}

type Installing = { readonly config: AppConfig; readonly installation: HostInstallation };

async function takeInstallation(
  api: Api,
  { state: host }: FakeHost,
  { id: workspace_id }: SeededWorkspace,
  { config, installation }: Installing,
): Promise<void> {
  const [state, code] = [randomUUID(), randomUUID()];
  const query = { workspace_id, state, codehost_app_config_id: config.id };
  await api.ask(routes.startInstallation, { body: query });
  host.codes.set(code, [installation.id]);
  const installation_id = String(installation.id);
  await api.ask(routes.finishInstallation, { body: { ...query, installation_id, code, setup_action: 'install' } });
}

/** What else the workspace chose stays as it is. */
async function chooseChecks(api: Api, shop: SeededWorkspace): Promise<void> {
  const settings = v.parse(CheckSettings, await api.ask(routes.getCheckSettings, query(shop)));
  if (settings.repositories.some((one) => one.repository === repository)) return;
  const connector_id = shop.connectors['warehouse']?.id;
  const project_id = shop.linked_projects['dbt'];
  const added = { repository, connector_id, project_id, manifest_path: manifestPath };
  const body = { ...settings, repositories: [...settings.repositories, added] };
  await api.ask(routes.putCheckSettings, { body });
}
