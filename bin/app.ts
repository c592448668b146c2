import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addAccountStacks } from '../lib/account-stack.ts';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { featureFlags } from '../lib/feature-flags.ts';
import { bundleFolder, functionNames } from '../lib/function-specs.ts';
import { readTenant } from '../lib/tenant.ts';
import { tenantStacks } from '../lib/tenant-stacks.ts';

const app = new App({ context: featureFlags, analyticsReporting: false });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
// The CDK shows the errors of selected stacks, and a bare `cdk deploy` selects none.
if (app.node.tryGetContext('tenant') === undefined) process.stderr.write(`${addAccountStacks(app)}\n`);
else {
  const tenant = readTenant(app.node);
  await bundleFunctions(functionNames);
  tenantStacks(app, { tenant, bundleOf: bundleFolder });
}
app.synth();
