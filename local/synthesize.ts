import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Fn } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../lib/feature-flags.ts';
import { bundleFolder, functionNames } from '../lib/function-specs.ts';
import { defaultTenant, type Tenant } from '../lib/tenant.ts';
import { tenantStacks } from '../lib/tenant-stacks.ts';
import { issuerName, issuerUrls } from './issuer/name.ts';
import { merge } from './template/merge.ts';
import { issuerAddress, Template } from './template/template.ts';

const root = path.resolve(import.meta.dirname, '..');

const settings = { HEALTH_STORES: 'true' };

/** Nobody looks after a laptop's service; `admin canary run` does a round of it. */
const laptop: Tenant = { ...defaultTenant('local'), settings, canary: false };

const context = {
  ...featureFlags,
  'aws:cdk:disable-asset-staging': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': false,
};

/** One template, the same on every machine: code by its path in the project, the issuer's address as a parameter. */
export async function synthesize(tenant: Tenant = laptop): Promise<Template> {
  // Synthesis needs only the folders of the bundles.
  await Promise.all(functionNames.map((name) => mkdir(bundleFolder(name), { recursive: true })));
  const outdir = await mkdtemp(path.join(tmpdir(), 'tributary-synth-'));
  try {
    // `cdk synth` validates the template; here it would cost nine seconds of a processor each time.
    const builtinCloudFormationValidation = false;
    const app = new App({
      analyticsReporting: false,
      treeMetadata: false,
      builtinCloudFormationValidation,
      outdir,
      context,
    });
    const issuer = { ...issuerName, ...issuerUrls(Fn.ref(issuerAddress)), isForDevelopment: true } as const;
    const stacks = tenantStacks(app, { tenant, issuer, bundleOf: bundleFolder });
    const synthesized = app.synth();
    const templates = stacks.map(({ artifactId }) => synthesized.getStackArtifact(artifactId).template);
    const whole = merge(templates.map((template) => v.parse(Template, template)));
    return portable({ ...whole, Parameters: { [issuerAddress]: { Type: 'String' } } });
  } finally {
    await rm(outdir, { recursive: true });
  }
}

/** Without what differs although nothing is deployed in another way: digests of code, and where the project lies. */
function portable(template: Template): Template {
  const text = JSON.stringify(template, (key, value) => {
    if (key === 'aws:asset:path') return path.relative(root, value).replaceAll(path.sep, '/');
    return key.startsWith('aws:asset:') ? undefined : value;
  });
  const named = text.replaceAll(/[0-9a-f]{64}/g, 'HASH').replaceAll(/(Deployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
  return JSON.parse(named);
}
