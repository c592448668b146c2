import { type AttributeValue, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { dynamodb, s3, sqs } from '../../../shared/adapters/aws.ts';
import { getObject, keysIn } from '../../../shared/adapters/s3/bucket.ts';
import { queueNames } from '../../../shared/contract/stack-outputs.ts';

const tables = { main: 'TABLE_NAME', ledger: 'EVENT_TABLE_NAME' } as const;
const buckets = { raw: 'RAW_BUCKET', lake: 'LAKE_BUCKET' } as const;
const Asked = v.object({
  route: v.string(),
  user: v.string(),
  params: v.optional(v.record(v.string(), v.string()), {}),
  query: v.optional(v.record(v.string(), v.string()), {}),
});
export type Asked = v.InferOutput<typeof Asked>;

/** A line of a recording: what a version stored, sent or answered. */
export const Line = v.union([
  v.object({ recorded_at: v.string() }),
  v.object({ table: v.picklist(['main', 'ledger']), item: v.custom<Record<string, AttributeValue>>(isObject) }),
  v.object({ bucket: v.picklist(['raw', 'lake']), key: v.string(), base64: v.string() }),
  v.object({ queue: v.picklist(queueNames), body: v.string() }),
  v.object({ asked: Asked, status: v.number(), answered: v.unknown() }),
]);
export type Line = v.InferOutput<typeof Line>;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A line as text; bytes are `{"$base64": …}`. */
export const written = (line: Line): string =>
  JSON.stringify(line, function (this: Record<string, unknown>, key, value) {
    const bytes = this[key];
    return bytes instanceof Uint8Array ? { $base64: Buffer.from(bytes).toString('base64') } : value;
  });

/** The line of a text. */
export const readLine = (text: string): Line =>
  v.parse(
    Line,
    JSON.parse(text, (_key, value) =>
      typeof value?.$base64 === 'string' ? Buffer.from(value.$base64, 'base64') : value,
    ),
  );

const named = (variable: string): string => process.env[variable] ?? '';
const bucketOf = (name: keyof typeof buckets) => ({ client: s3(), name: named(buckets[name]) });
const queueUrl = (name: string): string => named(`${name.toUpperCase()}_QUEUE_URL`);

/** Every item and object that the stores hold. */
export async function* stored(): AsyncGenerator<Line> {
  for (const table of ['main', 'ledger'] as const)
    for await (const { Items = [] } of paginateScan({ client: dynamodb() }, { TableName: named(tables[table]) }))
      for (const item of Items) yield { table, item };
  for (const bucket of ['raw', 'lake'] as const)
    for await (const key of keysIn(bucketOf(bucket), { Prefix: '' })) {
      const bytes = await getObject(bucketOf(bucket), key);
      if (bytes) yield { bucket, key, base64: Buffer.from(bytes).toString('base64') };
    }
}

/** Puts a line where it was. */
export async function store(line: Line): Promise<void> {
  if ('item' in line) {
    // An emulator that keeps the time to live would delete what was recorded long ago.
    const { ttl: _, ...item } = line.item;
    await dynamodb().send(new PutItemCommand({ TableName: named(tables[line.table]), Item: item }));
  }
  if ('bucket' in line)
    await s3().send(
      new PutObjectCommand({
        Bucket: named(buckets[line.bucket]),
        Key: line.key,
        Body: Buffer.from(line.base64, 'base64'),
      }),
    );
}

/** Takes every message of every queue. */
export async function* taken(): AsyncGenerator<Extract<Line, { queue: unknown }>> {
  for (const queue of queueNames)
    for (;;) {
      const { Messages = [] } = await sqs().send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl(queue), MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      if (Messages.length === 0) break;
      for (const { Body: body = '', ReceiptHandle } of Messages) {
        await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl(queue), ReceiptHandle }));
        yield { queue, body };
      }
    }
}
