import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFolder, bundleFunctions } from '../lib/bundle-functions.ts';
import { featureFlags } from '../lib/feature-flags.ts';
import { functionNames } from '../lib/function-specs.ts';
import { readTenant } from '../lib/tenant.ts';
import { tenantStacks } from '../lib/tenant-stacks.ts';

const app = new App({ context: featureFlags, analyticsReporting: false });
const tenant = readTenant(app.node);
await bundleFunctions(functionNames);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
tenantStacks(app, { tenant, bundleOf: bundleFolder });
app.synth();
