import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { routes } from '../shared/contract/api/routes.ts';
import { signInOutputs, stackNames } from '../shared/contract/stack-outputs.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { addBudget } from './budget.ts';
import { Dashboard } from './dashboard.ts';
import type { DataStack } from './data-stack.ts';
import type { FunctionName } from './function-specs.ts';
import { Functions } from './functions.ts';
import { IcebergMerge } from './iceberg/merge.ts';
import { type Issuer, signInClient } from './identity.ts';
import { LakeCatalogue } from './lake-catalogue.ts';
import { Rollout } from './rollout.ts';
import { Schedules } from './schedules.ts';
import { stackProps, type Tenant, tag } from './tenant.ts';

type ServiceProps = {
  readonly tenant: Tenant;
  readonly data: DataStack;
  readonly bundleOf: (name: FunctionName) => string;
  /** The issuer of session tokens, where it is not the one that the tenant names. */
  readonly issuer?: Issuer;
};

/** What works on a tenant's data and holds none: functions, API, alarms and the dashboard. It may be deleted and made again. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, { tenant, data, bundleOf, issuer }: ServiceProps) {
    super(scope, stackNames(tenant.name).service, {
      ...stackProps(tenant),
      description: `Tributary for ${tenant.name}: the service`,
    });
    tag(this, tenant);
    const { stores, users } = data;
    const api = new Api(this, 'Api', { tenant });
    const signIn = issuer ?? tenant.issuer ?? signInClient(this, 'SignIn', { users, explorer: api.address });
    new CfnOutput(this, signInOutputs.issuer, { value: signIn.issuer });
    new CfnOutput(this, signInOutputs.client, { value: signIn.audience });
    const functions = new Functions(this, 'Functions', {
      tenant,
      stores,
      issuer: signIn,
      apiUrl: api.address,
      bundleOf,
    });
    api.serve(Object.values(routes), functions);
    new Schedules(this, 'Schedules', functions, tenant);
    new LakeCatalogue(this, 'Catalogue', { tenant: tenant.name, lake: stores.buckets.lake });
    const watched = { tenant, stores, functions, api: api.restApi };
    const alarms = new Alarms(this, 'Alarms', watched);
    if (tenant.rollout) new Rollout(this, 'Rollout', { pace: tenant.rollout, functions, alarms: alarms.ofVersions });
    if (tenant.iceberg) {
      const { dedupDays } = tenant.iceberg;
      new IcebergMerge(this, 'Iceberg', { tenant: tenant.name, stores, alarms, dedupDays });
    }
    new Dashboard(this, 'Dashboard', watched);
    addBudget(this, tenant);
  }
}
