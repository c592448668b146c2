import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { routes } from '../shared/contract/api/routes.ts';
import { signInOutputs, stackName } from '../shared/contract/stack-outputs.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import type { FunctionName } from './function-specs.ts';
import { Functions } from './functions.ts';
import { type Issuer, UserDirectory } from './identity.ts';
import { LakeCatalogue } from './lake-catalogue.ts';
import { Schedules } from './schedules.ts';
import { Stores } from './stores.ts';

type TributaryProps = StackProps & {
  readonly tenant: string;
  readonly bundleOf: (name: FunctionName) => string;
  /** The tenant's own issuer of session tokens; without one the stack makes a user pool. */
  readonly issuer: Issuer | null;
  /** Settings of functions that this deployment chooses for itself. */
  readonly chosen?: Readonly<Record<string, string>>;
};

/** The whole service of one tenant. */
export class TributaryStack extends Stack {
  constructor(scope: Construct, { tenant, bundleOf, issuer, chosen = {}, ...props }: TributaryProps) {
    super(scope, stackName(tenant), { description: `Tributary for ${tenant}`, ...props });
    const stores = new Stores(this, 'Stores');
    const api = new Api(this, 'Api', { tenant });
    const signIn = issuer ?? new UserDirectory(this, 'Identity', { tenant, explorer: api.address }).issuer;
    new CfnOutput(this, signInOutputs.issuer, { value: signIn.issuer });
    new CfnOutput(this, signInOutputs.client, { value: signIn.audience });
    const functions = new Functions(this, 'Functions', { tenant, stores, issuer: signIn, chosen, bundleOf });
    api.serve(Object.values(routes), functions);
    new Schedules(this, 'Schedules', functions.named('sweep'));
    new LakeCatalogue(this, 'Catalogue', { tenant, lake: stores.buckets.lake });
    new Alarms(this, 'Alarms', { stores, functions });
  }
}
