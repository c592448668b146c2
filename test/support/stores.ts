import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from '../../lib/feature-flags.ts';
import { Stores as StoresConstruct } from '../../lib/stores.ts';
import { emulatorEnvironment } from '../../local/emulators/environment.ts';
import { startEmulators } from '../../local/emulators/start.ts';
import { createResources } from '../../local/resources/create.ts';
import { Template } from '../../local/template/template.ts';
import { outputs, wire } from '../../local/template/wiring.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';

export type Stores = {
  /** The variables that were set on `process.env`, so that the adapters reach these stores. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

/** Tables, buckets and queues as the stack declares them, on emulators of this test's own. */
export async function startStores(): Promise<Stores> {
  const emulators = await startEmulators(null);
  const wiring = wire(storesTemplate(), emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  const names = outputs(wiring);
  const named = (name: string): string => names[name] ?? '';
  const environment = {
    ...emulatorEnvironment(emulators),
    TABLE_NAME: named(stackOutputs.table),
    EVENT_TABLE_NAME: named(stackOutputs.event_table),
    RAW_BUCKET: named(stackOutputs.raw_bucket),
    LAKE_BUCKET: named(stackOutputs.lake_bucket),
    EVENTS_QUEUE_URL: named(stackOutputs.events_queue_url),
    PROJECTION_QUEUE_URL: named(stackOutputs.projection_queue_url),
    TENANT: 'test',
    POWERTOOLS_TRACE_ENABLED: 'false',
    POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
    POWERTOOLS_LOG_LEVEL: 'CRITICAL',
  };
  Object.assign(process.env, environment);
  return { environment, stop: emulators.stop };
}

function storesTemplate(): Template {
  const outdir = mkdtempSync(path.join(tmpdir(), 'stores-'));
  try {
    const app = new App({ analyticsReporting: false, context: featureFlags, outdir });
    const stack = new Stack(app, 'Test');
    new StoresConstruct(stack, 'Stores');
    return v.parse(Template, app.synth().getStackArtifact(stack.artifactId).template);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
