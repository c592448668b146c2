import * as v from 'valibot';
import { type Seeded, SeededWorkspace } from '../../local/credentials.ts';
import type { DevelopmentIssuer } from '../../local/issuer/issuer.ts';
import { CreatedToken } from '../../shared/contract/access.ts';
import { roles } from '../../shared/contract/vocabulary.ts';
import { commandJson } from '../support/command-line.ts';

const Built = v.object({ id: v.string() });
const Key = v.object({ key: v.string() });

type Operating = { readonly tenant: string; readonly issuer: DevelopmentIssuer; readonly baseUrl: string };

/** What the operator's command answers. */
async function told<S extends v.GenericSchema>(
  tenant: string,
  schema: S,
  ...args: readonly string[]
): Promise<v.InferOutput<S>> {
  return v.parse(schema, await commandJson(['admin', ...args, '--tenant', tenant]));
}

/** The workspaces that the contract's tests ask for, made by the operator's command. */
export async function setUp(operating: Operating): Promise<Seeded> {
  const [acme, globex, initech] = await Promise.all(
    ['acme', 'globex', 'initech'].map((one) => setUpOne(operating, one)),
  );
  if (!acme || !globex || !initech) throw new Error('A workspace was not made.');
  const pat = await tokenOf(operating, initech);
  await told(operating.tenant, v.unknown(), 'workspaces', 'pats', 'initech', 'off');
  return {
    workspaces: { acme, globex, initech: { ...initech, tokens: { ...initech.tokens, pat } } },
    outsider: { token: await operating.issuer.tokenFor('outsider') },
  };
}

async function setUpOne({ tenant, issuer }: Operating, name: string): Promise<SeededWorkspace> {
  const { id } = await told(tenant, Built, 'workspaces', 'create', name);
  const tokens: Record<string, string> = {};
  for (const role of roles) {
    const [user, email] = [`${name}-${role}`, `${role}@${name}.test`];
    await told(tenant, v.unknown(), 'members', 'add', name, user, '--role', role, '--email', email);
    tokens[role] = await issuer.tokenFor(user, email);
  }
  const linked_projects = { dbt: `${name}-dbt`, sqlmesh: `${name}-sqlmesh` };
  for (const project of Object.values(linked_projects))
    await told(tenant, v.unknown(), 'linked-projects', 'link', name, project);
  return v.parse(SeededWorkspace, {
    id,
    tokens,
    connectors: await connectorsOf(tenant, name),
    linked_projects,
    collection: await collectionOf(tenant, name),
  });
}

async function connectorsOf(tenant: string, name: string) {
  const plans = {
    warehouse: ['postgres', `postgres://warehouse.${name}.test:5432`, 'analytics', 'public'],
    lake: ['snowflake', `snowflake://${name}-lake`, 'ANALYTICS', 'PUBLIC'],
    duck: ['duckdb', `duckdb://${name}`, 'shop', 'main'],
  } as const;
  const created = Object.entries(plans).map(async ([connector, [kind, namespace, database, schema]]) => {
    const { id } = await told(
      tenant,
      Built,
      ...['connectors', 'create', name, connector, '--kind', kind, '--namespace', namespace],
      ...['--default-database', database, '--default-schema', schema],
    );
    const settings = { kind, namespaces: [namespace], default_database: database, default_schema: schema };
    return [connector, { id, ...settings }];
  });
  return Object.fromEntries(await Promise.all(created));
}

async function collectionOf(tenant: string, name: string) {
  const [project, environment, allowed_origin] = ['web', 'production', `https://app.${name}.test`];
  const making = ['projects', 'create', name, project, '--environment', environment, '--origin', allowed_origin];
  const { id } = await told(tenant, Built, ...making);
  const projectKey = async (key: string, ...rate: string[]) => {
    const args = ['project-keys', 'create', name, project, key, '--environment', environment, ...rate];
    return (await told(tenant, Key, ...args)).key;
  };
  const serverKey = async (key: string) => (await told(tenant, Key, 'server-keys', 'create', name, project, key)).key;
  const keys = {
    project_key: await projectKey('live'),
    revoked_project_key: await projectKey('revoked'),
    limited_project_key: await projectKey('limited', '--rate', '5', '--burst', '5'),
    server_key: await serverKey('live'),
    revoked_server_key: await serverKey('revoked'),
  };
  for (const kind of ['project-keys', 'server-keys'])
    await told(tenant, v.unknown(), kind, 'revoke', name, project, 'revoked');
  return { project_id: id, environment, allowed_origin, ...keys };
}

async function tokenOf({ baseUrl }: Operating, { id, tokens }: SeededWorkspace): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens['admin']}` },
    body: JSON.stringify({ workspace_id: id, name: 'made before', scopes: ['read', 'write'], expires_in_days: 365 }),
  });
  return v.parse(CreatedToken, await response.json()).token;
}
