import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';

const sockets = { keepAlive: true, maxSockets: 128 };
const common = {
  maxAttempts: 4,
  requestHandler: { httpAgent: sockets, httpsAgent: sockets, connectionTimeout: 2_000, requestTimeout: 20_000 },
};

/** One client a process and service: a client owns its sockets, and its endpoint comes from the environment. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

export const dynamodb = once(() => unlogged(new DynamoDBClient(common)));

// An emulator has no DNS names of its own for buckets.
export const s3 = once(() =>
  unlogged(new S3Client({ ...common, forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined })),
);

// The signature covers the message already; a second digest of it in JavaScript costs as much as the rest of a send.
export const sqs = once(() => unlogged(new SQSClient({ ...common, md5: false })));

/** The SDK copies every request and answer for a log that nobody reads: a tenth of what a batch of items costs. */
function unlogged<C extends { readonly middlewareStack: { remove(name: string): boolean } }>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
