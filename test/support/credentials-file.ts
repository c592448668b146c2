import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The credentials file for this test's stores. */
export async function credentialsFile(): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'credentials-'));
  const file = path.join(folder, 'credentials.json');
  const env = (name: string) => process.env[name] ?? '';
  const local = {
    region: env('AWS_REGION') || 'us-east-1',
    endpoints: {
      dynamodb: env('AWS_ENDPOINT_URL_DYNAMODB'),
      s3: env('AWS_ENDPOINT_URL_S3'),
      sqs: env('AWS_ENDPOINT_URL_SQS'),
    },
    access_key_id: env('AWS_ACCESS_KEY_ID'),
    secret_access_key: env('AWS_SECRET_ACCESS_KEY'),
    table: env('TABLE_NAME'),
    event_table: env('EVENT_TABLE_NAME'),
    raw_bucket: env('RAW_BUCKET'),
    lake_bucket: env('LAKE_BUCKET'),
    events_queue_url: env('EVENTS_QUEUE_URL'),
    events_dead_letter_queue_url: env('EVENTS_DEAD_LETTER_QUEUE_URL'),
    projection_queue_url: env('PROJECTION_QUEUE_URL'),
    projection_dead_letter_queue_url: env('PROJECTION_QUEUE_URL'),
    documents_queue_url: env('DOCUMENTS_QUEUE_URL'),
    documents_dead_letter_queue_url: env('DOCUMENTS_QUEUE_URL'),
    notifications_queue_url: env('NOTIFICATIONS_QUEUE_URL'),
    notifications_dead_letter_queue_url: env('NOTIFICATIONS_QUEUE_URL'),
    codehost_queue_url: env('CODEHOST_QUEUE_URL'),
    codehost_dead_letter_queue_url: env('CODEHOST_QUEUE_URL'),
  };
  await writeFile(file, JSON.stringify({ local }));
  return { file, remove: () => rm(folder, { recursive: true }) };
}
