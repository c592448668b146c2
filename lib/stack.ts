import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { routes } from '../shared/contract/api/routes.ts';
import { signInOutputs, stackName } from '../shared/contract/stack-outputs.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { Dashboard } from './dashboard.ts';
import type { FunctionName } from './function-specs.ts';
import { Functions } from './functions.ts';
import { type Issuer, UserDirectory } from './identity.ts';
import { LakeCatalogue } from './lake-catalogue.ts';
import { Schedules } from './schedules.ts';
import { Stores } from './stores.ts';
import type { Tenant } from './tenant.ts';

type TributaryProps = StackProps & {
  readonly tenant: Tenant;
  readonly bundleOf: (name: FunctionName) => string;
  /** The issuer of session tokens, where it is not the one that the tenant names. */
  readonly issuer?: Issuer;
};

/** The whole service of one tenant. */
export class TributaryStack extends Stack {
  constructor(scope: Construct, { tenant, bundleOf, issuer, ...props }: TributaryProps) {
    const { account, region } = tenant;
    super(scope, stackName(tenant.name), {
      description: `Tributary for ${tenant.name}`,
      terminationProtection: tenant.protected,
      ...(account && region && { env: { account, region } }),
      ...props,
    });
    for (const [key, value] of Object.entries({ 'tributary:tenant': tenant.name, ...tenant.tags }))
      Tags.of(this).add(key, value);
    const stores = new Stores(this, 'Stores', { isProtected: tenant.protected });
    const api = new Api(this, 'Api', { tenant });
    const signIn =
      issuer ??
      tenant.issuer ??
      new UserDirectory(this, 'Identity', { tenant: tenant.name, explorer: api.address }).issuer;
    new CfnOutput(this, signInOutputs.issuer, { value: signIn.issuer });
    new CfnOutput(this, signInOutputs.client, { value: signIn.audience });
    const functions = new Functions(this, 'Functions', { tenant, stores, issuer: signIn, bundleOf });
    api.serve(Object.values(routes), functions);
    new Schedules(this, 'Schedules', functions.named('sweep'));
    new LakeCatalogue(this, 'Catalogue', { tenant: tenant.name, lake: stores.buckets.lake });
    const watched = { tenant, stores, functions, api: api.restApi };
    new Alarms(this, 'Alarms', watched);
    new Dashboard(this, 'Dashboard', watched);
  }
}
