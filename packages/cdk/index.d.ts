import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { TenantSettings } from './settings';

export type { TenantSettings } from './settings';

/** A tenant in a CDK app: its two stacks, named after it, with functions that are bundled already. */
export declare class TributaryTenant {
  /** Tables, buckets, queues and the user pool. */
  readonly data: Stack;
  /** Functions, API, alarms and the dashboard. */
  readonly service: Stack;
  constructor(scope: Construct, name: string, settings?: TenantSettings);
}

/** The account's role for the logs of API Gateway, needed once for each account and Region. */
export declare class TributaryAccount extends Stack {
  constructor(scope: Construct, props?: StackProps);
}
