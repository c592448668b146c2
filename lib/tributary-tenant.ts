import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Aspects, type Stack } from 'aws-cdk-lib/core';
import { Construct, Dependable, type IConstruct } from 'constructs';
import * as v from 'valibot';
import { bundleFolder, type FunctionName } from './function-specs.ts';
import { TenantName, type TenantSettings, tenantOf } from './tenant.ts';
import { tenantStacks } from './tenant-stacks.ts';

/** The account's role for the logs of API Gateway, needed once for each account and Region. */
export { AccountStack as TributaryAccount } from './account-stack.ts';

/** A tenant in a CDK app: its two stacks, named after it, with functions that are bundled already. */
export class TributaryTenant extends Construct {
  /** Tables, buckets, queues and the user pool. */
  readonly data: Stack;
  /** Functions, API, alarms and the dashboard. */
  readonly service: Stack;

  /**
   * Names of stacks and ids of stores do not depend on the path: a tenant that moves within the app keeps its data.
   * @throws Fault or ValiError if the name or a setting breaks a rule
   */
  constructor(scope: Construct, name: string, settings: TenantSettings = {}) {
    const tenant = tenantOf(v.parse(TenantName, name), settings);
    super(scope, name);
    const [data, service] = tenantStacks(this, { tenant, bundleOf: assetFolder });
    [this.data, this.service] = [data, service];
    // The CDK passes no dependency of or on a construct on to the stacks in it. The service depends on the data.
    Dependable.implement(this, { dependencyRoots: [data, service] });
    const visit = (node: IConstruct): void => {
      if (node === this) data.node.addDependency(...this.node.dependencies);
    };
    Aspects.of(this).add({ visit });
  }
}

const companions = path.resolve(bundleFolder('.'), '..', 'companions');
const users = path.join(companions, 'users.json');
let staging: string | undefined;

/**
 * The folder that is deployed as a function. The package has the files that several functions read only once: they are
 * put together in folders that go with the process. A checkout has whole bundles.
 */
function assetFolder(name: FunctionName): string {
  const isWhole =
    !existsSync(users) || !v.parse(v.array(v.string()), JSON.parse(readFileSync(users, 'utf8'))).includes(name);
  if (isWhole) return bundleFolder(name);
  staging ??= temporaryFolder();
  const folder = path.join(staging, name);
  for (const part of [bundleFolder(name), companions])
    cpSync(part, folder, { recursive: true, filter: (file) => file !== users });
  return folder;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tributary-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
