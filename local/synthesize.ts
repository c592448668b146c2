import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { bundleFolder } from '../lib/bundle-functions.ts';
import { featureFlags } from '../lib/feature-flags.ts';
import type { Issuer } from '../lib/identity.ts';
import { defaultTenant } from '../lib/tenant.ts';
import { tenantStacks } from '../lib/tenant-stacks.ts';
import { merge } from './template/merge.ts';
import { Template } from './template/template.ts';

/** Settings that a laptop has otherwise. */
const settings = { HEALTH_STORES: 'true' };

/** The templates that a deployment would have as one, with each function's code named by its path instead of uploaded. */
export async function synthesize(issuer: Issuer): Promise<Template> {
  const outdir = await mkdtemp(path.join(tmpdir(), 'tributary-synth-'));
  const context = {
    ...featureFlags,
    'aws:cdk:disable-asset-staging': true,
    'aws:cdk:enable-asset-metadata': true,
    'aws:cdk:enable-path-metadata': false,
  };
  try {
    // `cdk synth` validates the template; here it would cost nine seconds of a processor at each start.
    const builtinCloudFormationValidation = false;
    const app = new App({
      analyticsReporting: false,
      treeMetadata: false,
      builtinCloudFormationValidation,
      outdir,
      context,
    });
    // Nobody looks after a laptop's service; `admin canary run` does a round of it.
    const tenant = { ...defaultTenant('local'), settings, canary: false };
    const stacks = tenantStacks(app, { tenant, issuer, bundleOf: bundleFolder });
    const synthesized = app.synth();
    return merge(stacks.map((stack) => v.parse(Template, synthesized.getStackArtifact(stack.artifactId).template)));
  } finally {
    await rm(outdir, { recursive: true });
  }
}
