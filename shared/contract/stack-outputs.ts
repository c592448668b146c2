import * as v from 'valibot';

/** What the stack tells about itself: the command line finds a tenant's stores by these outputs. */
export const stackOutputs = {
  api: 'ApiUrl',
  table: 'TableName',
  event_table: 'EventTableName',
  raw_bucket: 'RawBucketName',
  lake_bucket: 'LakeBucketName',
  events_queue_url: 'EventsQueueUrl',
  events_dead_letter_queue_url: 'EventsDeadLetterQueueUrl',
  projection_queue_url: 'ProjectionQueueUrl',
  projection_dead_letter_queue_url: 'ProjectionDeadLetterQueueUrl',
} as const;

/** Where people sign in: the tenant's own issuer, or the stack's user pool. */
export const signInOutputs = { issuer: 'SignInIssuer', client: 'SignInClient' } as const;

/** Where `tributary login` takes people back from the issuer: the user pool allows this address alone. */
export const loopback = { host: '127.0.0.1', port: 8976, path: '/callback' } as const;

/** The name of a tenant's stack. */
export const stackName = (tenant: string): string => `Tributary-${tenant}`;

/** How the command line reaches the stores of a local service: the `local` object of its credentials file. */
export const LocalStores = v.object({
  region: v.string(),
  endpoints: v.object({ dynamodb: v.string(), s3: v.string(), sqs: v.string() }),
  /** Made anew at each start: the emulators take nothing that is signed with others. */
  access_key_id: v.string(),
  secret_access_key: v.string(),
  table: v.string(),
  event_table: v.string(),
  raw_bucket: v.string(),
  lake_bucket: v.string(),
  events_queue_url: v.string(),
  events_dead_letter_queue_url: v.string(),
  projection_queue_url: v.string(),
  projection_dead_letter_queue_url: v.string(),
});
export type LocalStores = v.InferOutput<typeof LocalStores>;

/** The keys of a local service, in the form that an AWS client takes. */
export const accessKeysOf = (stores: Pick<LocalStores, 'access_key_id' | 'secret_access_key'>) => ({
  accessKeyId: stores.access_key_id,
  secretAccessKey: stores.secret_access_key,
});
