import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { Fault } from '../shared/contract/problems.ts';
import { TenantName, tenantNames } from './tenant.ts';

/** What `fleet.json` beside the tenants' files may say. */
const FleetFile = v.strictObject({
  $schema: v.optional(v.string()),
  /** The tenants of each wave. Waves are deployed in this order, and the tenants of a wave too. */
  waves: v.record(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,29}$/)), v.pipe(v.array(TenantName), v.nonEmpty())),
  /** For how many minutes the alarms of a wave are watched after its last deployment. */
  bakeMinutes: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1_440)), 15),
  /** Quotas that AWS has raised, by the type of the resource. */
  quotas: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(1))), {}),
});

/** The JSON Schema of the file, for completion and checks in editors. */
export const fleetSchema = (): object => toJsonSchema(FleetFile, { typeMode: 'input', errorMode: 'ignore' });

const fleetFile = 'fleet.json';

export type Wave = { readonly name: string; readonly tenants: readonly string[] };

/**
 * The waves of the tenants of a folder.
 * @throws Fault if a tenant is in no wave or in two, or has no file: an upgrade would leave it out, or stop half-way.
 */
export function readFleet(folder: string) {
  const file = path.join(folder, fleetFile);
  if (!existsSync(file))
    throw new Fault('fleet_file_missing', `There is no ${file}: write {"waves": {"canary": ["NAME"]}} to it.`);
  const { waves, bakeMinutes, quotas } = v.parse(FleetFile, JSON.parse(readFileSync(file, 'utf8')));
  const listed = Object.values(waves).flat();
  const names = tenantNames(folder);
  const faults = {
    'has no file': listed.filter((name) => !names.includes(name)),
    'is in no wave': names.filter((name) => !listed.includes(name)),
    'is in two waves': listed.filter((name, at) => listed.indexOf(name) !== at),
  };
  for (const [fault, [first]] of Object.entries(faults))
    if (first !== undefined) throw new Fault('fleet_tenant', `${file}: the tenant ${first} ${fault}.`);
  return { waves: Object.entries(waves).map(([name, tenants]) => ({ name, tenants })), bakeMinutes, quotas };
}

/** Which part of the fleet is deployed: one wave or all, and in them the tenants from one on. */
export type Choice = { readonly wave?: string | undefined; readonly from?: string | undefined };

/**
 * The chosen waves in their order, each with the tenants that remain to be deployed.
 * @throws Fault if there is no such wave, or no such tenant in it
 */
export function wavesFrom(waves: readonly Wave[], { wave, from }: Choice): (Wave & { remaining: readonly string[] })[] {
  const chosen = waves.filter(({ name }) => wave === undefined || name === wave);
  if (chosen.length === 0)
    throw new Fault(
      'fleet_wave',
      `There is no wave ${wave}. The waves are ${waves.map(({ name }) => name).join(', ')}.`,
    );
  const first = from === undefined ? 0 : chosen.findIndex(({ tenants }) => tenants.includes(from));
  if (first < 0) throw new Fault('fleet_from', `No chosen wave has the tenant ${from}.`);
  return chosen.slice(first).map((one, at) => {
    const begin = at === 0 && from !== undefined ? one.tenants.indexOf(from) : 0;
    return { ...one, remaining: one.tenants.slice(begin) };
  });
}
