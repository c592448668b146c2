import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFolder, bundleFunctions } from '../lib/bundle-functions.ts';
import { featureFlags } from '../lib/feature-flags.ts';
import { functionNames } from '../lib/function-specs.ts';
import { readSettings } from '../lib/settings.ts';
import { TributaryStack } from '../lib/stack.ts';

await bundleFunctions(functionNames);
const app = new App({ context: featureFlags, analyticsReporting: false });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
new TributaryStack(app, { ...readSettings(app.node), bundleOf: bundleFolder });
app.synth();
