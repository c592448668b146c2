import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../../lib/feature-flags.ts';
import { bundleFolder } from '../../lib/function-specs.ts';
import { readTenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';

/** Synthesizes a tenant of the folder with the bundles of the last deployment, which no option changes. */
export function synthesize(tenant: string, folder: string, outdir: string): void {
  const context = { ...featureFlags, tenant };
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false, context, outdir });
  tenantStacks(app, { tenant: readTenant(app.node, folder), bundleOf: bundleFolder });
  app.synth();
}

const Created = v.object({ KeyMetadata: v.object({ Arn: v.string() }) });

/** A customer's key in the emulated account. */
async function createKey(endpoint: string): Promise<string> {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/kms/aws4_request, SignedHeaders=host, Signature=0';
  const headers = {
    authorization,
    'x-amz-target': 'TrentService.CreateKey',
    'content-type': 'application/x-amz-json-1.1',
  };
  const response = await fetch(endpoint, { method: 'POST', headers, body: '{}' });
  return v.parse(Created, await response.json()).KeyMetadata.Arn;
}

type Change = (endpoint: string, own: object) => object | Promise<object>;

const domain = {
  name: 'lineage.acme.test',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/11111111-2222-3333-4444-555555555555',
};

/** Changes of a tenant's file, one after another: each keeps the choices of those before it. */
export const steps: readonly (readonly [name: string, change: Change])[] = [
  ['a key', async (endpoint) => ({ kmsKeyArn: await createKey(endpoint) })],
  ['backups', () => ({ backup: { keepDays: 35 } })],
  ['a rollout', () => ({ rollout: 'Canary10Percent5Minutes' })],
  ['a domain', () => ({ domain })],
  ['Iceberg tables', () => ({ iceberg: {} })],
  ['another throttle', () => ({ throttle: { rate: 50, burst: 70 } })],
  ['no canary', () => ({ canary: false })],
  ['the user pool in place of its issuer', () => ({ issuer: undefined })],
  ['its own issuer again', (_, own) => own],
  ['the canary again', () => ({ canary: undefined })],
  ['the throttle of the default', () => ({ throttle: undefined })],
  ['its events in the lake again', () => ({ settings: { COLLECTION_SINK: 'lake' } })],
  ['no domain', () => ({ domain: undefined })],
  ['no rollout', () => ({ rollout: undefined })],
  ['no backups', () => ({ backup: undefined })],
  ['no key', () => ({ kmsKeyArn: undefined })],
];

/** What a tenant's file cannot say, and what it says instead. */
export const refusals: readonly (readonly [change: object, words: string])[] = [
  [{ iceberg: undefined, settings: { COLLECTION_SINK: 'iceberg' } }, 'needs "iceberg": {}'],
  [{ issuer: undefined, userPool: false }, 'needs an issuer'],
  [{ region: 'eu-west-1' }, 'add the other one'],
];
