import { request } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccessKeys } from '../../local/emulators/access-keys.ts';
import { type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';

type Sent = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** What answers a request whose headers are exactly these: `fetch` would not let a test set all of them. */
function ask(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Sent,
): Promise<{ status: number; allow: unknown }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, allow: response.headers['access-control-allow-origin'] });
    });
    asking.on('error', reject).end(body);
  });
}

type Request = {
  method: string;
  headers: Record<string, string>;
  hostname: string;
  port: number;
  path: string;
  body?: string;
};
type Next = (args: { readonly request: Request }) => Promise<unknown>;
type Middleware = (next: Next) => Next;
/** What the stacks of all clients have in common. */
type Stack = { readonly add: (middleware: Middleware, options: object) => void };

describe('the emulators of a laptop', () => {
  let stores: ScratchStores;
  const signed: { url: string; headers: Record<string, string>; method: string; body: string }[] = [];

  beforeAll(async () => {
    stores = await startScratchStores();
    for (const client of clients()) await client.capture();
  });
  afterAll(() => stores.stop());

  const common = (credentials = stores.keys) => ({ region: 'us-east-1', credentials, maxAttempts: 1 });
  const bucket = () => stores.names[stackOutputs.raw_bucket] ?? '';

  /** A request of each SDK client, as it was signed. */
  function clients(credentials = stores.keys) {
    const dynamodb = new DynamoDBClient({ ...common(credentials), endpoint: stores.endpoints.dynamodb });
    const sqs = new SQSClient({ ...common(credentials), endpoint: stores.endpoints.sqs });
    const s3 = new S3Client({ ...common(credentials), endpoint: stores.endpoints.s3, forcePathStyle: true });
    const put = new PutObjectCommand({ Bucket: bucket(), Key: "a b/ü+(1)!'*.txt", Body: 'object' });
    const sends = [
      { client: dynamodb, send: () => dynamodb.send(new ListTablesCommand({})) },
      { client: sqs, send: () => sqs.send(new ListQueuesCommand({})) },
      { client: s3, send: () => s3.send(put) },
    ] as const;
    return sends.map(({ client, send }) => ({
      send,
      capture: async () => {
        const capture: Middleware = (next) => async (args) => {
          const { method, headers, hostname, port, path, body = '' } = args.request;
          signed.push({ method, headers, url: `http://${hostname}:${port}${path}`, body });
          return next(args);
        };
        (client.middlewareStack as unknown as Stack).add(capture, { step: 'finalizeRequest', priority: 'low' });
        await send();
      },
    }));
  }

  it('take what the SDK signs with the keys of this run, and nothing that it signs with others', async () => {
    for (const { send } of clients()) await send();
    for (const { send } of clients(newAccessKeys()))
      await expect(send()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    const { accessKeyId } = stores.keys;
    for (const { send } of clients({ accessKeyId, secretAccessKey: 'guessed' }))
      await expect(send()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('refuse what carries a signature of another request', async () => {
    expect(signed).toHaveLength(3);
    for (const { url, method, headers, body } of signed) {
      expect(await ask(`${url}?versionId=1`, { method, headers, body })).toMatchObject({ status: 403 });
      const old = { ...headers, 'x-amz-date': '20200101T000000Z' };
      expect(await ask(url, { method, headers: old, body })).toMatchObject({ status: 403 });
    }
  });

  it('refuse another body than the one that was signed', async () => {
    const { headers } = signed[0] ?? { headers: {} };
    const changed = { ...headers, 'content-length': '4' };
    const answer = await ask(stores.endpoints.dynamodb, { method: 'POST', headers: changed, body: '{ } ' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['an origin', { origin: 'https://page.example' }],
    ['its own origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['the same site', { 'sec-fetch-site': 'same-site' }],
    ['another host', { host: 'rebound.example' }],
    ['the name of loopback', { host: 'localhost' }],
  ])('refuse signed requests that name %s, and invite nobody', async (_, extra) => {
    expect(signed).toHaveLength(3);
    for (const { url, method, headers, body } of signed)
      expect(await ask(url, { method, headers: { ...headers, ...extra }, body })).toEqual({
        status: 403,
        allow: undefined,
      });
  });

  it('answer no preflight and no form of a web page', async () => {
    const origin = 'https://page.example';
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    for (const url of Object.values(stores.endpoints)) {
      expect(await ask(url, { method: 'OPTIONS', headers: preflight })).toEqual({ status: 403, allow: undefined });
      expect(await ask(url, { method: 'POST', headers: form, body: 'Action=ListTopics' })).toMatchObject({
        status: 403,
      });
      expect(await ask(`${url}/${bucket()}?delete`, { method: 'POST', body: '<Delete/>' })).toMatchObject({
        status: 403,
      });
      expect(await ask(url, {})).toMatchObject({ status: 403 });
    }
  });

  it('take presigned URLs as they were signed, until they expire', async () => {
    const s3 = new S3Client({ ...common(), endpoint: stores.endpoints.s3, forcePathStyle: true });
    const object = { Bucket: bucket(), Key: 'uploads/one' };
    const put = await getSignedUrl(s3, new PutObjectCommand(object), { expiresIn: 60 });
    expect(await ask(put, { method: 'PUT', body: 'bytes' })).toMatchObject({ status: 200 });
    expect(await ask(put.replace('uploads/one', 'uploads/two'), { method: 'PUT', body: 'bytes' })).toMatchObject({
      status: 403,
    });
    expect(await ask(put, {})).toMatchObject({ status: 403 });
    const long = { expiresIn: 60, signingDate: new Date(Date.now() - 3_600_000) };
    const expired = await getSignedUrl(s3, new GetObjectCommand(object), long);
    expect(await ask(expired, {})).toMatchObject({ status: 403 });
  });

  it('listen only on loopback, the unguarded one on its own address', () => {
    for (const url of [...Object.values(stores.endpoints), stores.innerEndpoints.dynamodb])
      expect(new URL(url).hostname).toMatch(/^127\./);
    if (process.platform !== 'darwin') expect(new URL(stores.innerEndpoints.dynamodb).hostname).not.toBe('127.0.0.1');
  });
});
