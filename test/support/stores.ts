import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsEnvironment, emulatorEnvironment } from '../../local/emulators/environment.ts';
import { type Emulators, startEmulators } from '../../local/emulators/start.ts';
import { createTables } from '../../local/resources/create.ts';
import { createScratchStores, type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { currentTemplate } from '../../local/template/current.ts';
import type { Template } from '../../local/template/template.ts';
import { secretsPrefix, stackOutputs } from '../../shared/contract/stack-outputs.ts';

export type Stores = Awaited<ReturnType<typeof startStores>>;

/** Tables, buckets and queues as the stack declares them: in memory, or in an empty folder. */
export async function startStores(folder: string | null = null) {
  const scratch = isTest && folder === null ? await sharedStores() : await startScratchStores(folder);
  const named = (name: string): string => scratch.names[name] ?? '';
  const environment = {
    ...emulatorEnvironment(scratch),
    ...(await tablesElsewhere(scratch)),
    TABLE_NAME: named(stackOutputs.table),
    EVENT_TABLE_NAME: named(stackOutputs.event_table),
    RAW_BUCKET: named(stackOutputs.raw_bucket),
    LAKE_BUCKET: named(stackOutputs.lake_bucket),
    EVENTS_QUEUE_URL: named(stackOutputs.events_queue_url),
    EVENTS_DEAD_LETTER_QUEUE_URL: named(stackOutputs.events_dead_letter_queue_url),
    PROJECTION_QUEUE_URL: named(stackOutputs.projection_queue_url),
    DOCUMENTS_QUEUE_URL: named(stackOutputs.documents_queue_url),
    NOTIFICATIONS_QUEUE_URL: named(stackOutputs.notifications_queue_url),
    PROJECTION_DEAD_LETTER_QUEUE_URL: named(stackOutputs.projection_dead_letter_queue_url),
    DOCUMENTS_DEAD_LETTER_QUEUE_URL: named(stackOutputs.documents_dead_letter_queue_url),
    CODEHOST_QUEUE_URL: named(stackOutputs.codehost_queue_url),
    WORK_QUEUE_URL: named(stackOutputs.events_queue_url),
    SECRETS_PREFIX: secretsPrefix('test', 'codehost'),
    TENANT: 'test',
    POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
  };
  Object.assign(process.env, environment);
  return {
    /** The variables that were set on `process.env`, so that the adapters reach these stores. */
    environment,
    stop: scratch.stop,
  };
}

/** A bench ends when its emulators are stopped, so it shares none. */
const isTest = process.env['VITEST'] === 'true';
let shared: Promise<readonly [Emulators, Template]> | undefined;
let sets = 0;

/** A new set of stores on the emulators of this process, which run until it ends: to start them takes as long as many a test. */
async function sharedStores(): Promise<ScratchStores> {
  shared ??= Promise.all([startEmulators(null), currentTemplate()]);
  const [emulators, template] = await shared;
  return { ...(await createScratchStores(emulators, template, `-${++sets}`)), stop: async () => undefined };
}

/** The tables on the other implementation that `TEST_DYNAMODB_ENDPOINT` names: it keeps a database for each key id. */
async function tablesElsewhere({
  wiring,
  keys,
}: Pick<ScratchStores, 'wiring' | 'keys'>): Promise<Readonly<Record<string, string>>> {
  const endpoint = process.env['TEST_DYNAMODB_ENDPOINT'];
  if (endpoint === undefined) return {};
  const client = new DynamoDBClient({ endpoint, region: awsEnvironment.region, credentials: keys });
  await createTables(client, wiring);
  client.destroy();
  return { AWS_ENDPOINT_URL_DYNAMODB: endpoint };
}
