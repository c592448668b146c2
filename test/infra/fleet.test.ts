import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { fleetSchema, readFleet, wavesFrom } from '../../lib/fleet.ts';
import { countResources, exceededQuotas } from '../../lib/quotas.ts';
import { defaultTenant, tenantNames, tenantOf } from '../../lib/tenant.ts';
import { everyOption } from '../support/every-option.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'fleet-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: object) =>
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(content));
for (const name of ['acme', 'acme-eu', 'globex', 'initech']) write(name, {});
const waves = { canary: ['acme'], europe: ['acme-eu', 'globex'], rest: ['initech'] };

describe('the list of a fleet', () => {
  it('names the tenants of each wave in the order of their deployment, and is no tenant itself', () => {
    write('fleet', { waves });
    expect(readFleet(folder)).toEqual({
      waves: Object.entries(waves).map(([name, tenants]) => ({ name, tenants })),
      bakeMinutes: 15,
      quotas: {},
    });
    expect(tenantNames(folder)).toEqual(['acme', 'acme-eu', 'globex', 'initech']);
    expect(readFleet(path.join(root, 'tenants')).waves).not.toEqual([]);
  });

  it.each([
    ['a tenant has no file', { ...waves, late: ['unknown'] }, 'unknown has no file'],
    ['a tenant is in no wave', { canary: ['acme'], rest: ['acme-eu', 'initech'] }, 'globex is in no wave'],
    ['a tenant is in two waves', { ...waves, late: ['acme'] }, 'acme is in two waves'],
  ])('is refused if %s', (_, listed, reason) => {
    write('fleet', { waves: listed });
    expect(() => readFleet(folder)).toThrow(reason);
  });

  it('has a JSON Schema, which is the one that it is checked with: `npm run openapi` writes it', () => {
    const written = readFileSync(path.join(root, 'docs', 'fleet.schema.json'), 'utf8');
    expect(JSON.parse(written)).toEqual(fleetSchema());
    const isValid = new Ajv({ strict: false }).compile(fleetSchema());
    expect([{ waves }, { waves, bakeMinutes: 30 }].map((file) => isValid(file))).toEqual([true, true]);
    expect([{}, { waves: { canary: [] } }, { waves, bake: 1 }].map((file) => isValid(file))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a deployment of a fleet', () => {
  const all = Object.entries(waves).map(([name, tenants]) => ({ name, tenants }));
  const remaining = (choice: Parameters<typeof wavesFrom>[1]) =>
    wavesFrom(all, choice).map(({ name, remaining: rest }) => [name, rest]);

  it('is of all waves, or of the one that is named', () => {
    expect(remaining({})).toEqual(Object.entries(waves));
    expect(remaining({ wave: 'europe' })).toEqual([['europe', ['acme-eu', 'globex']]]);
    expect(() => remaining({ wave: 'asia' })).toThrow('The waves are canary, europe, rest.');
  });

  it('continues at a tenant, with the waves after it', () => {
    expect(remaining({ from: 'globex' })).toEqual([
      ['europe', ['globex']],
      ['rest', ['initech']],
    ]);
    expect(() => remaining({ wave: 'canary', from: 'globex' })).toThrow('No chosen wave has the tenant globex.');
  });

  it('shows with --dry-run what it would do, once all files of tenants are valid', () => {
    const dryRun = (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/fleet.ts', '--dry-run', '--tenants', folder, ...args], {
        cwd: root,
        encoding: 'utf8',
      });
    write('fleet', { waves, bakeMinutes: 5 });
    expect(dryRun('--wave', 'europe')).toMatchObject({
      status: 0,
      stdout: 'Wave europe: acme-eu, globex, then 5 minutes without an alarm\n',
    });
    write('initech', { region: 'eu-west-1' });
    const { status, stderr } = dryRun('--wave', 'europe');
    expect([status, stderr]).toEqual([1, expect.stringContaining('both account and region')]);
  });
});

describe('the tenants of an account', () => {
  const [least, most] = [countResources(defaultTenant('least')), countResources(tenantOf('most', everyOption))];
  const some = (count: number, counts: typeof least, file: object = {}) =>
    Array.from({ length: count }, (_, n) => ({ tenant: tenantOf(`t${n}`, file), counts }));

  it('are as many as docs/scale.md says, and one more is refused before it is deployed', () => {
    const scale = readFileSync(path.join(root, 'docs', 'scale.md'), 'utf8');
    const [, plain, full] = /takes (\d+) tenants without options, and (\d+) with all of them/.exec(scale) ?? [];
    const [plainCount, fullCount] = [Number(plain), Number(full)];
    expect(exceededQuotas(some(plainCount, least))).toEqual([]);
    expect(exceededQuotas(some(plainCount + 1, least))).toEqual([
      expect.stringMatching(/tenants have \d+ of AWS::IAM::Role, and the quota is 1000/),
    ]);
    expect(exceededQuotas(some(fullCount, most))).toEqual([]);
    expect(exceededQuotas(some(fullCount + 1, most))).not.toEqual([]);
  });

  it('are more if AWS has raised a quota, and fewer in a Region with fewer rules', () => {
    expect(exceededQuotas(some(60, least), { 'AWS::IAM::Role': 5_000 })).toEqual([]);
    const place = { account: '111122223333', region: 'eu-south-1' };
    expect(exceededQuotas(some(26, least, place))).toEqual([expect.stringContaining('104 of AWS::Events::Rule')]);
  });

  it('share what can be reserved of invocations, and are counted apart in other Regions', () => {
    const file = (region: string) => ({ account: '111122223333', region, reservedConcurrency: { collect: 500 } });
    const [one, two] = [some(1, least, file('eu-west-1')), some(1, least, file('us-east-1'))];
    expect(exceededQuotas([...one, ...two])).toEqual([]);
    expect(exceededQuotas([...one, ...one])).toEqual([expect.stringContaining('reserve 1000 invocations')]);
  });
});
