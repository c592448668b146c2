import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../lib/feature-flags.ts';
import { Stores } from '../lib/stores.ts';
import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import { Template } from './template/template.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  /** The names of tables, buckets and queues, by the stack's outputs. */
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

/** Tables, buckets and queues as the stack declares them, empty, on emulators that forget them when they stop. */
export async function startScratchStores(): Promise<ScratchStores> {
  const emulators = await startEmulators(null);
  const wiring = wire(storesTemplate(), emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}

function storesTemplate(): Template {
  const outdir = mkdtempSync(path.join(tmpdir(), 'stores-'));
  try {
    // `cdk synth` validates the whole stack; here it would cost nine seconds of a processor.
    const app = new App({
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
      context: featureFlags,
      outdir,
    });
    const stack = new Stack(app, 'Scratch');
    new Stores(stack, 'Stores', { isProtected: false });
    return v.parse(Template, app.synth().getStackArtifact(stack.artifactId).template);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
