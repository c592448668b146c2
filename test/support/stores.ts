import { emulatorEnvironment } from '../../local/emulators/environment.ts';
import { startScratchStores } from '../../local/scratch-stores.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';

export type Stores = {
  /** The variables that were set on `process.env`, so that the adapters reach these stores. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

/** Tables, buckets and queues as the stack declares them, on emulators of this test's own. */
export async function startStores(): Promise<Stores> {
  const scratch = await startScratchStores();
  const named = (name: string): string => scratch.names[name] ?? '';
  const environment = {
    ...emulatorEnvironment(scratch),
    TABLE_NAME: named(stackOutputs.table),
    EVENT_TABLE_NAME: named(stackOutputs.event_table),
    RAW_BUCKET: named(stackOutputs.raw_bucket),
    LAKE_BUCKET: named(stackOutputs.lake_bucket),
    EVENTS_QUEUE_URL: named(stackOutputs.events_queue_url),
    EVENTS_DEAD_LETTER_QUEUE_URL: named(stackOutputs.events_dead_letter_queue_url),
    PROJECTION_QUEUE_URL: named(stackOutputs.projection_queue_url),
    TENANT: 'test',
    POWERTOOLS_TRACE_ENABLED: 'false',
    POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
  };
  Object.assign(process.env, environment);
  return { environment, stop: scratch.stop };
}
