import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
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
