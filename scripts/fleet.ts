// Deploys the tenants that `fleet.json` lists, wave by wave, and stops at the first alarm or failed stack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { unlessStackIsMissing } from '../cli/connect.ts';
import { signedFetch } from '../cli/signed-fetch.ts';
import { readFleet, wavesFrom } from '../lib/fleet.ts';
import { countResources, exceededQuotas } from '../lib/quotas.ts';
import { readTenant, type Tenant } from '../lib/tenant.ts';
import { Fault } from '../shared/contract/problems.ts';
import { stackNames } from '../shared/contract/stack-outputs.ts';
import { refusals } from './preflight.ts';

const usage = 'npm run fleet -- [--wave NAME] [--from TENANT] [--tenants FOLDER] [--dry-run]';
const root = path.resolve(import.meta.dirname, '..');
const pollMs = 15_000;

const { values: options } = parseArgs({
  options: {
    wave: { type: 'string' },
    from: { type: 'string' },
    tenants: { type: 'string', default: 'tenants' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const folder = path.resolve(options.tenants);

/** Why no further tenant is deployed. */
class Stopped extends Error {}

async function deployFleet(): Promise<void> {
  const { waves, bakeMinutes, quotas } = readFleet(folder);
  const plan = wavesFrom(waves, options);
  // A file that breaks a rule is found before anything is deployed.
  const files = new Map(waves.flatMap(({ tenants }) => tenants).map((name) => [name, fileOf(name)]));
  const counted = [...files.values()].map((tenant) => ({ tenant, counts: countResources(tenant) }));
  const exceeded = exceededQuotas(counted, quotas);
  if (exceeded.length > 0)
    throw new Stopped(
      `${exceeded.join('\n')}\nRequest a higher quota and write it to "quotas" of fleet.json, or use another account.`,
    );
  const regions = new Map([...files].map(([name, { region }]) => [name, region]));
  for (const { name, tenants, remaining } of plan) {
    console.log(`Wave ${name}: ${remaining.join(', ')}, then ${bakeMinutes} minutes without an alarm`);
    if (options['dry-run']) continue;
    const watch = () => watchAlarms(tenants, regions);
    for (const tenant of remaining) {
      const alarms = await watch();
      if (alarms.length > 0)
        throw new Stopped(`${tenant} is not deployed.\n${alarms.join('\n')}\n${advice(name, tenant)}`);
      const refused = await refusals(fileOf(tenant));
      if (refused.length > 0) throw new Stopped(`${tenant} is not deployed.\n${refused.join('\n')}`);
      console.log(`Wave ${name}: deploying ${tenant}`);
      const status = await deploy(tenant);
      if (status !== 0)
        throw new Stopped(
          `cdk deploy of ${tenant} ended with ${status}: read its error above.\n${advice(name, tenant)}`,
        );
    }
    await bake(name, remaining.at(-1) ?? '', { minutes: bakeMinutes, watch });
  }
}

const fileOf = (tenant: string): Tenant => readTenant(new App({ context: { tenant, tenants: folder } }).node);

async function deploy(tenant: string): Promise<number | null> {
  const program = path.join(root, 'node_modules', '.bin', 'cdk');
  const context = ['-c', `tenant=${tenant}`, '-c', `tenants=${folder}`];
  const output = ['-o', path.join(root, 'cdk.out', tenant)];
  const args = ['deploy', '--all', '--require-approval', 'never', ...context, ...output];
  const [status] = await once(spawn(program, args, { cwd: root, stdio: 'inherit' }), 'close');
  return status;
}

type Baking = { readonly minutes: number; readonly watch: () => Promise<readonly string[]> };

/** Waits while no alarm of the wave rings. */
async function bake(wave: string, last: string, { minutes, watch }: Baking): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  for (;;) {
    const alarms = await watch();
    if (alarms.length > 0) throw new Stopped(`${alarms.join('\n')}\n${advice(wave, last)}`);
    if (Date.now() >= end) return;
    await setTimeout(Math.min(pollMs, Math.max(0, end - Date.now())));
  }
}

const advice = (wave: string, from: string): string => `No further tenant was deployed.
To deploy a fix, or the previous commit, run npx cdk deploy --all -c tenant=NAME.
Once no alarm rings, continue: npm run fleet --${options.wave ? ` --wave ${wave}` : ''} --from ${from}${
  options.tenants === 'tenants' ? '' : ` --tenants ${options.tenants}`
}`;

/** What each ringing alarm of some tenants says. */
async function watchAlarms(tenants: readonly string[], regions: ReadonlyMap<string, string | undefined>) {
  const all = tenants.map(async (tenant) => {
    const alarms = await ringingAlarms(tenant, regions.get(tenant));
    return alarms.map(
      ({ AlarmName, AlarmDescription }) => `${tenant}: the alarm ${AlarmName} rings. ${AlarmDescription}`,
    );
  });
  return (await Promise.all(all)).flat();
}

const Alarms = v.object({ MetricAlarms: v.array(v.object({ AlarmName: v.string(), AlarmDescription: v.string() })) });

/** By the names of the stack's resources: those of one tenant may begin with the name of another. */
async function ringingAlarms(tenant: string, region: string | undefined) {
  const client = new CloudFormationClient(region === undefined ? {} : { region });
  const AlarmNames = await alarmNames(client, stackNames(tenant).service);
  if (AlarmNames.length === 0) return [];
  const response = await signedFetch(client, {
    service: 'monitoring',
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'GraniteServiceVersion20100801.DescribeAlarms',
    },
    body: JSON.stringify({ AlarmNames, AlarmTypes: ['MetricAlarm'], StateValue: 'ALARM', MaxRecords: 100 }),
  });
  if (!response.ok)
    throw new Stopped(`CloudWatch answered ${response.status}. The caller needs cloudwatch:DescribeAlarms.`);
  return v.parse(Alarms, await response.json()).MetricAlarms;
}

/** None if the tenant is new. A stack has fewer alarms than the hundred that one request takes. */
async function alarmNames(client: CloudFormationClient, StackName: string): Promise<string[]> {
  const described = await unlessStackIsMissing(client.send(new DescribeStackResourcesCommand({ StackName })));
  return (described?.StackResources ?? []).flatMap(({ ResourceType, PhysicalResourceId }) =>
    ResourceType === 'AWS::CloudWatch::Alarm' && PhysicalResourceId ? [PhysicalResourceId] : [],
  );
}

try {
  await deployFleet();
} catch (error) {
  if (!(error instanceof Stopped || error instanceof Fault)) throw error;
  console.error(error instanceof Stopped ? error.message : `${error.message}\n${usage}`);
  process.exitCode = 1;
}
