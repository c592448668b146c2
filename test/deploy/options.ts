import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../../lib/feature-flags.ts';
import { bundleFolder } from '../../lib/function-specs.ts';
import { readTenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { synthesize as synthesizeLocal } from '../../local/synthesize.ts';
import type { Template } from '../../local/template/template.ts';
import { nodeWith } from '../support/cdk-context.ts';
import { everyOption } from '../support/every-option.ts';

/** Synthesizes a tenant of the folder with the bundles of the last deployment, which no option changes. */
export function synthesize(tenant: string, folder: string, outdir: string): void {
  const context = { ...featureFlags, tenant };
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false, context, outdir });
  tenantStacks(app, { tenant: readTenant(app.node, folder), bundleOf: bundleFolder });
  app.synth();
}

/** The template of a tenant with every option and a customer's key, as the local service reads it. */
export async function everyOptionTemplate(): Promise<Template> {
  const folder = mkdtempSync(path.join(tmpdir(), 'every-option-'));
  try {
    writeFileSync(path.join(folder, 'local.json'), JSON.stringify(everyOption));
    return await synthesizeLocal(readTenant(nodeWith({ tenant: 'local' }), folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
type Step = {
  readonly name: string;
  readonly change: Change;
  readonly options?: readonly string[];
  /** Left out of a sample, which ends with the same choices. */
  readonly isNightly?: true;
};

/** The customer's keys, in the order of their use. */
const keys: string[] = [];
const newKey: Change = async (endpoint) => {
  keys.push(await createKey(endpoint));
  return { kmsKeyArn: keys.at(-1) };
};
const firstKey: Change = () => ({ kmsKeyArn: keys[0] });

const domain = {
  name: 'lineage.acme.test',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/11111111-2222-3333-4444-555555555555',
};

/** One of each kind of change, by `SAMPLE=1`. */
const isSample = process.env['SAMPLE'] === '1';

const everyStep: readonly Step[] = [
  { name: 'a key', change: newKey },
  { name: 'backups', change: () => ({ backup: { keepDays: 35 } }) },
  { name: 'another key', change: newKey, isNightly: true },
  // The vault of that key is there, as the document of deploying says.
  { name: 'the first key again', change: firstKey, options: ['--import-existing-resources'], isNightly: true },
  { name: 'a rollout', change: () => ({ rollout: 'Canary10Percent5Minutes' }), isNightly: true },
  { name: 'a domain', change: () => ({ domain }), isNightly: true },
  { name: 'Iceberg tables', change: () => ({ iceberg: {} }) },
  { name: 'another throttle', change: () => ({ throttle: { rate: 50, burst: 70 } }), isNightly: true },
  { name: 'no canary', change: () => ({ canary: false }), isNightly: true },
  { name: 'the user pool in place of its issuer', change: () => ({ issuer: undefined }) },
  { name: 'its own issuer again', change: (_, own) => own },
  { name: 'the canary again', change: () => ({ canary: undefined }), isNightly: true },
  { name: 'the throttle of the default', change: () => ({ throttle: undefined }), isNightly: true },
  { name: 'its events in the lake again', change: () => ({ settings: { COLLECTION_SINK: 'lake' } }) },
  { name: 'no domain', change: () => ({ domain: undefined }), isNightly: true },
  { name: 'no rollout', change: () => ({ rollout: undefined }), isNightly: true },
  { name: 'no backups', change: () => ({ backup: undefined }) },
  { name: 'no key', change: () => ({ kmsKeyArn: undefined }) },
  { name: 'the first key once more', change: firstKey, options: ['--import-existing-resources'], isNightly: true },
  { name: 'no key again', change: () => ({ kmsKeyArn: undefined }), isNightly: true },
];

/** Changes of a tenant's file, one after another: each keeps the choices of those before it. */
export const steps = everyStep.filter(({ isNightly }) => !(isSample && isNightly));

/** A change that CloudFormation refuses without the option of its step, and why; all stays as it was. */
export const refusedWithoutOption = { before: 'the first key again', reason: 'already exists' };

/** What a tenant's file cannot say, and what it says instead. */
export const refusals: readonly (readonly [change: object, words: string])[] = [
  [{ iceberg: undefined, settings: { COLLECTION_SINK: 'iceberg' } }, 'needs "iceberg": {}'],
  [{ issuer: undefined, userPool: false }, 'needs an issuer'],
  [{ region: 'eu-west-1' }, 'add the other one'],
];
