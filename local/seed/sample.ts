import type { Seeded } from '../credentials.ts';
import { type SeedPorts, seedWorkspace } from './workspace.ts';

/** One workspace of a small shop: its web shop sends events, and its warehouse has lineage. */
export async function seedSample(ports: SeedPorts): Promise<Seeded> {
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
      },
    },
  });
  return { workspaces: { shop }, outsider: { token: await ports.issuer.tokenFor('outsider') } };
}
