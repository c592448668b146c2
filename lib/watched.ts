import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { FunctionName } from './function-specs.ts';
import type { Functions } from './functions.ts';
import type { Stores } from './stores.ts';
import type { Tenant } from './tenant.ts';

/** What alarms and the dashboard are about. */
export type Watched = {
  readonly tenant: Tenant;
  readonly stores: Stores;
  readonly functions: Functions;
  readonly api: RestApi;
};

/** Those that run most: where the account has no concurrency left, they are the first to be throttled. */
export const busyFunctions = [
  'collect',
  'ingest',
  'store-events',
  'projector',
] as const satisfies readonly FunctionName[];
