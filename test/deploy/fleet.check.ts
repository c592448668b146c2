import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stackNames } from '../../shared/contract/stack-outputs.ts';
import { Account, nothing } from './account.ts';
import { problemsOf, readCalls, recorderOf } from './calls.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { run, runs } from './run.ts';

let cloud: Cloud;
let account: Account;
beforeAll(async () => {
  cloud = await startCloud(process.env['CLOUD_EMULATOR'] ?? '');
  Object.assign(process.env, cloud.environment);
  account = new Account(cloud.endpoint);
  for (const one of [tenants(), callsFolder()]) await mkdir(one);
  for (const name of ['one', 'two']) await write(name, { protected: false, canary: false });
  await write('fleet', { waves: { canary: ['one'], rest: ['two'] }, bakeMinutes: 0.05 });
  await runs(cloud.environment, ['cdk', 'bootstrap', '--ci', 'aws://000000000000/us-east-1'], cloud.folder);
  await runs(cloud.environment, ['cdk', 'deploy', 'tributary-account', '--require-approval', 'never', '--ci']);
});
afterAll(() => cloud?.stop());

const tenants = () => path.join(cloud.folder, 'tenants');
const write = (name: string, content: object) =>
  writeFile(path.join(tenants(), `${name}.json`), JSON.stringify(content));
const callsFolder = () => path.join(cloud.folder, 'calls');
const fleet = (...args: readonly string[]) =>
  run({ ...cloud.environment, CI: 'true', CALLER: 'fleet' }, [
    ...['node', '--import', recorderOf(callsFolder()), 'scripts/fleet.ts', '--tenants', tenants()],
    ...args,
  ]);

/** Sets the state of a tenant's alarm, as CloudWatch does. */
async function setAlarm(tenant: string, StateValue: 'ALARM' | 'OK'): Promise<void> {
  const command = new DescribeStackResourcesCommand({ StackName: stackNames(tenant).service });
  const { StackResources = [] } = await new CloudFormationClient({}).send(command);
  const alarm = StackResources.find(({ LogicalResourceId = '' }) => LogicalResourceId.startsWith('AlarmsServerErrors'));
  await account.setAlarm(alarm?.PhysicalResourceId ?? '', StateValue);
}

describe('a fleet', () => {
  it('deploys only the tenants of the chosen wave', async () => {
    expect(await fleet('--wave', 'canary')).toMatchObject({ status: 0 });
    expect(await account.left('one')).toMatchObject({ stacks: 2 });
    expect(await account.left('two')).toEqual(nothing);
  });

  it('stops at an alarm: it names the alarm, the runbook and how to continue', async () => {
    await setAlarm('one', 'ALARM');
    const { status, output } = await fleet();
    expect(status).toBe(1);
    expect(output).toMatch(/one: the alarm \S*ServerErrors\S* rings\. What to do: docs\/runbook\.md#server-errors/);
    expect(output).toContain('npm run fleet -- --from one');
    expect(await account.left('two')).toEqual(nothing);
  });

  it('stops at a stack that fails', async () => {
    // The credentials are of another account.
    await write('two', { protected: false, canary: false, account: '111122223333', region: 'us-east-1' });
    const { status, output } = await fleet('--wave', 'rest');
    expect([status, output]).toEqual([1, expect.stringContaining('cdk deploy of two ended with 1')]);
    expect(output).toContain('npm run fleet -- --wave rest --from two');
  });

  it('continues at the tenant where it stopped', async () => {
    await setAlarm('one', 'OK');
    await write('two', { protected: false, canary: false });
    expect(await fleet('--from', 'two')).toMatchObject({ status: 0 });
    expect(await account.left('two')).toMatchObject({ stacks: 2 });
  });

  it('calls AWS with inputs that its models allow', () => {
    const calls = readCalls(callsFolder());
    const operations = new Set(calls.map(({ operation }) => operation));
    expect(operations).toEqual(new Set(['DescribeStackResources', 'DescribeAlarms', 'GetAccount', 'GetTemplate']));
    expect(problemsOf(calls)).toEqual([]);
  });
});
