import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../lib/feature-flags.ts';
import { Stores } from '../lib/stores.ts';
import { Template } from './template/template.ts';

/** The stores of the stack, without what uses them. */
export function storesTemplate(): Template {
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
