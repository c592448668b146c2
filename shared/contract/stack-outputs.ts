import * as v from 'valibot';

export const queueNames = ['events', 'projection', 'documents', 'notifications', 'codehost'] as const;
export type QueueName = (typeof queueNames)[number];

const storeOutputs = {
  table: 'TableName',
  event_table: 'EventTableName',
  raw_bucket: 'RawBucketName',
  lake_bucket: 'LakeBucketName',
  events_queue_url: 'EventsQueueUrl',
  events_dead_letter_queue_url: 'EventsDeadLetterQueueUrl',
  projection_queue_url: 'ProjectionQueueUrl',
  projection_dead_letter_queue_url: 'ProjectionDeadLetterQueueUrl',
  documents_queue_url: 'DocumentsQueueUrl',
  documents_dead_letter_queue_url: 'DocumentsDeadLetterQueueUrl',
  notifications_queue_url: 'NotificationsQueueUrl',
  notifications_dead_letter_queue_url: 'NotificationsDeadLetterQueueUrl',
  codehost_queue_url: 'CodehostQueueUrl',
  codehost_dead_letter_queue_url: 'CodehostDeadLetterQueueUrl',
} as const;

/** What the stacks tell about themselves: the command line finds a tenant's stores by these outputs. */
export const stackOutputs = { api: 'ApiUrl', ...storeOutputs } as const;

export const StoreNames = v.object(
  v.entriesFromList(Object.keys(storeOutputs) as (keyof typeof storeOutputs)[], v.string()),
);

/** Functions that may have a function URL for senders. */
export const urlFunctions = ['collect', 'ingest'] as const;

/** The output of a function's URL, for a tenant that has it. */
export const urlOutputs = { collect: 'CollectUrl', ingest: 'IngestUrl' } as const;

/** The output of a tenant whose events go into Iceberg tables: their database. */
export const icebergOutput = 'IcebergDatabase';

/** Where people sign in: the tenant's own issuer, or its user pool. */
export const signInOutputs = { issuer: 'SignInIssuer', client: 'SignInClient' } as const;

/** Where `tributary login` takes people back from the issuer: the user pool allows only this address. */
export const loopback = { host: '127.0.0.1', port: 8976, path: '/callback' } as const;

/** The names of a tenant's stacks: no name of one tenant's is another tenant's, whatever tenants are called. */
export const stackNames = (tenant: string) =>
  ({ data: `TributaryData-${tenant}`, service: `Tributary-${tenant}` }) as const;

export type SecretKind = 'codehost' | 'webhooks';

/** What the names of a tenant's secrets of one kind begin with in Secrets Manager. */
export const secretsPrefix = (tenant: string, of: SecretKind): string => `tributary/${tenant}/${of}/`;

/** How the command line reaches the stores of a local service: the `local` object of its credentials file. */
export const LocalStores = v.object({
  region: v.string(),
  endpoints: v.object({ dynamodb: v.string(), s3: v.string(), sqs: v.string() }),
  /** Made anew at each start: the emulators take nothing that is signed with others. */
  access_key_id: v.string(),
  secret_access_key: v.string(),
  ...StoreNames.entries,
});
export type LocalStores = v.InferOutput<typeof LocalStores>;

/** The keys of a local service, in the form that an AWS client takes. */
export const accessKeysOf = (stores: Pick<LocalStores, 'access_key_id' | 'secret_access_key'>) => ({
  accessKeyId: stores.access_key_id,
  secretAccessKey: stores.secret_access_key,
});
