import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stackNames } from '../../shared/contract/stack-outputs.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { run, runs } from './run.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud(process.env['CLOUD_EMULATOR'] ?? '');
  Object.assign(process.env, cloud.environment);
  await mkdir(tenants());
  await writeFile(path.join(tenants(), 'first.json'), JSON.stringify({ iceberg: {} }));
  await runs(cloud.environment, ['cdk', 'bootstrap', '--ci', 'aws://000000000000/us-east-1'], cloud.folder);
});
afterAll(() => cloud?.stop());

const StackName = stackNames('first').data;
const tenants = () => path.join(cloud.folder, 'tenants');
const plant = (type: string) => writeFile(path.join(cloud.folder, 'planted'), type);
const deploy = (...args: readonly string[]) =>
  run({ ...cloud.environment, CI: 'true' }, ['cdk', 'deploy', '--require-approval', 'never', '--ci', ...args]);
const deployTenant = () => deploy('--all', '-c', 'tenant=first', '-c', `tenants=${tenants()}`);
const readiness = () =>
  run(cloud.environment, ['node', 'scripts/first-account.ts', '--tenant', 'first', '--tenants', tenants()]);

describe('a first deployment that fails, followed as the runbook says', () => {
  it('is announced before it begins: the account has no role for logs', async () => {
    const { status, output } = await readiness();
    expect([status, output]).toEqual([1, expect.stringContaining('npx cdk deploy tributary-account')]);
  });

  it('leaves an account stack that the same deployment then makes', async () => {
    await plant('AWS::ApiGateway::Account');
    expect((await deploy('tributary-account')).status).toBe(1);
    expect((await deploy('tributary-account')).status).toBe(0);
    expect((await readiness()).status).toBe(0);
  });

  it('leaves a data stack that can be deleted and made again, because no name is fixed', async () => {
    await plant('AWS::Cognito::UserPoolDomain');
    expect(await deployTenant()).toMatchObject({ status: 1, output: expect.stringContaining('planted failure') });
    expect(await deployTenant()).toMatchObject({ status: 1, output: expect.stringContaining('TerminationProtection') });
    await new CloudFormationClient({}).send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
    await plant('AWS::CloudWatch::Dashboard');
    const { status, output } = await deployTenant();
    // The data are deployed, and the service fails.
    expect([status, output]).toEqual([1, expect.stringContaining('planted failure of AWS::CloudWatch::Dashboard')]);
  });

  it('leaves a service stack that the same deployment then makes with the same stores', async () => {
    const before = await stores();
    expect(before.length).toBeGreaterThan(10);
    expect(await deployTenant()).toMatchObject({ status: 0 });
    expect(await stores()).toEqual(before);
  });
});

async function stores() {
  const { StackResources = [] } = await new CloudFormationClient({}).send(
    new DescribeStackResourcesCommand({ StackName }),
  );
  return StackResources.map(({ LogicalResourceId, PhysicalResourceId }) => [LogicalResourceId, PhysicalResourceId]);
}
