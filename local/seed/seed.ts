import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { UserId } from '../../shared/contract/ids.ts';
import { Fault } from '../../shared/contract/problems.ts';
import { accessKeysOf, type LocalStores } from '../../shared/contract/stack-outputs.ts';
import { roles } from '../../shared/contract/vocabulary.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { createToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { Seeded, type SeededWorkspace, writeCredentials } from '../credentials.ts';
import type { DevelopmentIssuer } from '../issuer/issuer.ts';
import type { LocalOptions, SeedName } from '../options.ts';
import { withClients } from '../resources/clients.ts';
import { emailOf, type SeedPorts, seedWorkspace, userOf, type WorkspacePlan } from './workspace.ts';

async function seedConformance(ports: SeedPorts): Promise<Seeded> {
  const acme = await seedWorkspace(ports, planOf('acme'));
  const globex = await seedWorkspace(ports, planOf('globex'));
  return {
    workspaces: { acme, globex, initech: await seedWithoutPats(ports, planOf('initech')) },
    outsider: { token: await ports.issuer.tokenFor('outsider') },
  };
}

const planOf = (name: string): WorkspacePlan => ({
  name,
  allowedOrigin: `https://app.${name}.test`,
  linkedProjects: { dbt: `${name}-dbt`, sqlmesh: `${name}-sqlmesh` },
  connectors: {
    warehouse: {
      kind: 'postgres',
      namespaces: [`postgres://warehouse.${name}.test:5432`],
      default_database: 'analytics',
      default_schema: 'public',
    },
    lake: {
      kind: 'snowflake',
      namespaces: [`snowflake://${name}-lake`],
      default_database: 'ANALYTICS',
      default_schema: 'PUBLIC',
    },
    duck: { kind: 'duckdb', namespaces: [`duckdb://${name}`], default_database: 'shop', default_schema: 'main' },
  },
});

async function seedWithoutPats(ports: SeedPorts, plan: WorkspacePlan): Promise<SeededWorkspace> {
  const workspace = await seedWorkspace(ports, plan);
  const { token } = await createToken(ports.operator, {
    workspace_id: workspace.id,
    user_id: v.parse(UserId, userOf(plan.name, 'admin')),
    name: 'made before',
    scopes: ['read', 'write'],
    client_kind: 'service',
    expires_in_days: 365,
  });
  await setPatsEnabled(ports.operator, workspace.id, false);
  return { ...workspace, tokens: { ...workspace.tokens, pat: token } };
}

const seedings: Readonly<Record<SeedName, (ports: SeedPorts) => Promise<Seeded>>> = {
  conformance: seedConformance,
  sample: seedSample,
  none: async ({ issuer }) => ({ workspaces: {}, outsider: { token: await issuer.tokenFor('outsider') } }),
};

/** Makes what the seed names, and stores it with the data: keys are shown once, and a restart must return the same. */
export async function seed(
  { folder, seed: name }: Pick<LocalOptions, 'folder' | 'seed'>,
  stores: LocalStores,
  issuer: DevelopmentIssuer,
): Promise<Seeded> {
  const file = folder && path.join(folder, `seed-${name}.json`);
  const retained = file && (await readFile(file, 'utf8').catch(() => null));
  if (retained) {
    const { seeded, isRenewed } = await withValidTokens(issuer, seededIn(file, retained));
    if (isRenewed) await writeCredentials(file, seeded);
    return seeded;
  }
  return withClients({ endpoints: stores.endpoints, keys: accessKeysOf(stores) }, async ({ dynamodb: client }) => {
    const records = registry({ client, name: stores.table });
    const operator = { registry: records, clock: systemClock, randomBytes, actor: 'seed' };
    const seeded = await seedings[name]({ operator, issuer });
    if (file) await writeCredentials(file, seeded);
    return seeded;
  });
}

function seededIn(file: string, text: string): Seeded {
  try {
    return v.parse(Seeded, JSON.parse(text));
  } catch {
    throw new Fault(
      'seed_broken',
      `${file} cannot be read: restore it from a copy, or start with another --data folder.`,
    );
  }
}

/** The same with new tokens for those that have expired, or that were issued before the clock was set back. */
async function withValidTokens(issuer: DevelopmentIssuer, seeded: Seeded) {
  let isRenewed = false;
  const validToken = async (token: string, user: string, email?: string): Promise<string> => {
    const { exp = 0, iat = 0 } = decodeJwt(token);
    const now = Date.now() / 1_000;
    if (iat <= now && now < exp) return token;
    isRenewed = true;
    return issuer.tokenFor(user, email);
  };
  const outsider = { token: await validToken(seeded.outsider.token, 'outsider') };
  const workspaces: Record<string, Seeded['workspaces'][string]> = {};
  for (const [name, workspace] of Object.entries(seeded.workspaces)) {
    const tokens = { ...workspace.tokens };
    for (const role of roles)
      if (tokens[role]) tokens[role] = await validToken(tokens[role], userOf(name, role), emailOf(name, role));
    workspaces[name] = { ...workspace, tokens };
  }
  return { seeded: { ...seeded, outsider, workspaces }, isRenewed };
}

async function seedSample(ports: SeedPorts): Promise<Seeded> {
  const shop = await seedWorkspace(ports, {
    name: 'shop',
    allowedOrigin: 'http://localhost:3000',
    linkedProjects: { dbt: 'shop-dbt' },
    connectors: {
      warehouse: {
        kind: 'postgres',
        namespaces: ['postgres://warehouse.shop.test:5432'],
        default_database: 'shop',
        default_schema: 'public',
      },
      application: {
        kind: 'postgres',
        namespaces: ['postgres://app.shop.test:5432'],
        default_database: 'app',
        default_schema: 'public',
        layers: [{ schema: 'public', layer: 'sources' }],
      },
    },
  });
  return { workspaces: { shop }, outsider: { token: await ports.issuer.tokenFor('outsider') } };
}
