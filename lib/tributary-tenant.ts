import { type Stack, Stage } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import * as v from 'valibot';
import { bundleFolder } from './function-specs.ts';
import { TenantName, type TenantSettings, tenantOf } from './tenant.ts';
import { tenantStacks } from './tenant-stacks.ts';

/** The account's role for the logs of API Gateway, needed once for each account and Region. */
export { AccountStack as TributaryAccount } from './account-stack.ts';

/** A tenant in a CDK app: its two stacks, named after it, with functions that are bundled already. */
export class TributaryTenant {
  /** Tables, buckets, queues and the user pool. */
  readonly data: Stack;
  /** Functions, API, alarms and the dashboard. */
  readonly service: Stack;

  /**
   * The stacks are direct children of the app or stage, because ids of resources depend on the path: a tenant that moves
   * within the app keeps its resources.
   * @throws Fault or ValiError if the name or a setting breaks a rule
   */
  constructor(scope: Construct, name: string, settings: TenantSettings = {}) {
    const tenant = tenantOf(v.parse(TenantName, name), settings);
    [this.data, this.service] = tenantStacks(Stage.of(scope) ?? scope, { tenant, bundleOf: bundleFolder });
  }
}
