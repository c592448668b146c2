import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { accessKeysOf, type LocalStores } from '../../shared/contract/stack-outputs.ts';
import { systemClock } from '../../shared/domain/time/clock.ts';
import { Seeded, writeCredentials } from '../credentials.ts';
import type { DevelopmentIssuer } from '../issuer/issuer.ts';
import type { LocalOptions, SeedName } from '../options.ts';
import { seedConformance } from './conformance.ts';
import { seedSample } from './sample.ts';
import type { SeedPorts } from './workspace.ts';

const seedings: Readonly<Record<SeedName, (ports: SeedPorts) => Promise<Seeded>>> = {
  conformance: seedConformance,
  sample: seedSample,
  none: async ({ issuer }) => ({ workspaces: {}, outsider: { token: await issuer.tokenFor('outsider') } }),
};

/**
 * Makes what the seed names, through the code that operators use.
 * Kept with the data that it belongs to: keys are shown once, and a restart must answer the same.
 */
export async function seed(
  { folder, seed: name }: Pick<LocalOptions, 'folder' | 'seed'>,
  stores: LocalStores,
  issuer: DevelopmentIssuer,
): Promise<Seeded> {
  const file = folder && path.join(folder, `seed-${name}.json`);
  const kept = file && (await readFile(file, 'utf8').catch(() => null));
  if (kept) return v.parse(Seeded, JSON.parse(kept));
  const client = new DynamoDBClient({
    region: stores.region,
    endpoint: stores.endpoints.dynamodb,
    credentials: accessKeysOf(stores),
  });
  const operator = {
    registry: registry({ client, name: stores.table }),
    clock: systemClock,
    randomBytes,
    actor: 'seed',
  };
  const seeded = await seedings[name]({ operator, issuer });
  if (file) await writeCredentials(file, seeded);
  client.destroy();
  return seeded;
}
