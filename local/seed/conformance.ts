import * as v from 'valibot';
import { UserId } from '../../shared/contract/ids.ts';
import { createToken } from '../../shared/domain/access/tokens.ts';
import { setPatsEnabled } from '../../shared/domain/access/workspaces.ts';
import type { Seeded, SeededWorkspace } from '../credentials.ts';
import { type SeedPorts, seedWorkspace, userOf, type WorkspacePlan } from './workspace.ts';

/** Three workspaces that know nothing of one another; one honours no personal access tokens. */
export async function seedConformance(ports: SeedPorts): Promise<Seeded> {
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
