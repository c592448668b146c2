import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Fault } from '../contract/problems.ts';
import { once } from '../domain/base/caching.ts';
import { postSigner, withDirectRequests } from './dynamodb/requests/direct-requests.ts';

const sockets = { keepAlive: true, maxSockets: 128 };

/** `requestTimeout` ends with the headers, and only warns unless it must throw; `socketTimeout` bounds pauses. */
const answeringWithin = (requestTimeout: number, maxAttempts = 4, socketTimeout = requestTimeout) => ({
  maxAttempts,
  requestHandler: {
    httpAgent: sockets,
    httpsAgent: sockets,
    connectionTimeout: 2_000,
    requestTimeout,
    socketTimeout,
    throwOnRequestTimeout: true,
  },
});

/** A log that nobody reads and a header that names the SDK: a fifth of the client's cost per request. */
const unusedMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware'];
/** Traces a message through functions. Tables and buckets do not forward it. */
const tracingMiddleware = 'recursionDetectionMiddleware';

type ClientWithMiddleware = { readonly middlewareStack: { readonly remove: (name: string) => boolean } };

function withoutMiddleware<C extends ClientWithMiddleware>(names: readonly string[], client: C): C {
  const missing = names.filter((name) => !client.middlewareStack.remove(name));
  if (missing.length > 0)
    throw new Fault('client_middleware_missing', `the client of this version has no ${missing.join(' and no ')}`);
  return client;
}

// Clients are made once a process: each owns its sockets, and its endpoint comes from the environment.

// One attempt more is made without the SDK's middleware, here and of messages.
export const dynamodb = /* @__PURE__ */ once(() =>
  withDirectRequests(
    withoutMiddleware([...unusedMiddleware, tracingMiddleware], new DynamoDBClient(answeringWithin(5_000, 3))),
    'dynamodb',
  ),
);

/** A worker that writes to tables what it reads from an object pauses the object's socket meanwhile. */
const objectPauseMs = 120_000;

// An emulator has no DNS its own names for buckets.
export const s3 = /* @__PURE__ */ once(() =>
  withoutMiddleware(
    [...unusedMiddleware, tracingMiddleware],
    new S3Client({
      ...answeringWithin(20_000, 4, objectPauseMs),
      forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined,
    }),
  ),
);

// The signature covers the message already; a second digest of it in JavaScript costs as much as the rest of a send.
export const sqs = /* @__PURE__ */ once(() => {
  const client: SQSClient = new SQSClient({
    ...answeringWithin(5_000, 3),
    md5: false,
    signer: once(async () => postSigner(client.config, 'sqs')),
  });
  return withDirectRequests(withoutMiddleware(unusedMiddleware, client), 'sqs');
});

export const firehose = /* @__PURE__ */ once(() =>
  withoutMiddleware(unusedMiddleware, new FirehoseClient(answeringWithin(5_000))),
);

export const secretsManagerClient = /* @__PURE__ */ once(() =>
  withoutMiddleware([...unusedMiddleware, tracingMiddleware], new SecretsManagerClient(answeringWithin(5_000))),
);
