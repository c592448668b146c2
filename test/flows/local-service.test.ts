import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../../local/emulators/environment.ts';
import { type Service, startService } from '../../local/service.ts';
import { outputs } from '../../local/template/wiring.ts';
import { localTemplate } from '../support/local-template.ts';

const Message = v.object({ body: v.string(), count: v.optional(v.string()) });
const Received = v.array(v.array(Message));
const Echo = v.object({
  event: v.looseObject({ resource: v.string(), multiValueHeaders: v.record(v.string(), v.array(v.string())) }),
  setting: v.string(),
});
const Refusal = v.object({ detail: v.object({ code: v.string(), request_id: v.string() }) });

describe('the local service', () => {
  let service: Service;
  let sqs: SQSClient;
  const log: string[] = [];
  beforeAll(async () => {
    service = await startService({
      port: 0,
      folder: null,
      template: async () => localTemplate,
      environment: { SETTING: 'chosen', QUEUE: 'not to be chosen', BODY_TIMEOUT_MS: '300' },
      log: (line) => log.push(line),
    });
    const { endpoints, keys } = service.emulators;
    sqs = new SQSClient({ region: awsEnvironment.region, endpoint: endpoints.sqs, credentials: keys });
  });
  afterAll(() => service.stop());

  const call = (path: string, init?: RequestInit) => fetch(service.baseUrl + path, init);

  async function json<S extends v.GenericSchema>(schema: S, response: Response): Promise<v.InferOutput<S>> {
    return v.parse(schema, await response.json());
  }

  it('stops at a resource that it does not know, and leaves nothing running', async () => {
    const Resources = {
      ...localTemplate.Resources,
      Stream: { Type: 'AWS::Kinesis::Stream', Properties: {}, Metadata: {} },
    };
    const template = async () => ({ ...localTemplate, Resources });
    const starting = startService({ port: 0, folder: null, template, environment: {}, log: () => undefined });
    await expect(starting).rejects.toThrow(
      'The local service knows no resource of type AWS::Kinesis::Stream (Stream).',
    );
  });

  it('hands requests over as API Gateway does, and their replies back', async () => {
    const response = await call('/things/a%20b?x=1&x=2&y=', {
      method: 'POST',
      body: Buffer.from([0, 255]),
      headers: { 'X-Some': 'one' },
    });
    const { event, setting } = await json(Echo, response);
    expect(response.status).toBe(201);
    expect([response.headers.get('x-one'), response.headers.get('x-many')]).toEqual(['1', 'a, b']);
    expect(setting).toBe('chosen');
    expect(event).toMatchObject({
      resource: '/things/{thing_id}',
      path: '/things/a%20b',
      httpMethod: 'POST',
      pathParameters: { thing_id: 'a b' },
      queryStringParameters: { x: '2', y: '' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: [''] },
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
      requestContext: { stage: 'live', path: '/things/a%20b', identity: { sourceIp: '127.0.0.1' } },
    });
    expect(event.multiValueHeaders['X-Some']).toEqual(['one']);
  });

  it('leaves a path that cannot be decoded to the function, which has its own checks first (C-ERROR-17)', async () => {
    const { event } = await json(Echo, await call('/things/%zz%20'));
    expect(event).toMatchObject({ pathParameters: { thing_id: '%zz%20' } });
  });

  it('passes gzip on unchanged, under the name that API Gateway never inflates (C-COLLECT-22)', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { event } = await json(Echo, await call('/things', { method: 'POST', body: '{}', headers }));
    expect(event).toMatchObject({
      headers: { 'content-encoding': 'x-gzip' },
      body: Buffer.from('{}').toString('base64'),
    });
  });

  it('passes null to the function for a missing body, query or path parameter', async () => {
    const { event } = await json(Echo, await call('/things'));
    expect(event).toMatchObject({
      body: null,
      isBase64Encoded: false,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  it('prefers literal parts to parameters and both to a greedy rest', async () => {
    const resourceOf = async (path: string) => (await json(Echo, await call(path))).event.resource;
    expect(await resourceOf('/things/special')).toBe('/things/special');
    expect(await resourceOf('/things/other')).toBe('/things/{thing_id}');
    expect(await resourceOf('/files/a/b/c')).toBe('/files/{proxy+}');
  });

  it.each([
    ['/nowhere', 404, 'not_found'],
    ['/things/a/b', 404, 'not_found'],
    ['/things?do=throw', 502, 'internal_error'],
    ['/things?do=exit', 502, 'internal_error'],
    ['/things?do=malformed', 502, 'internal_error'],
    ['/never', 504, 'unavailable'],
    ['/never?spin=1', 504, 'unavailable'],
  ])('answers %s itself with %i %s (C-ERROR-1)', async (path, status, code) => {
    const response = await call(path);
    const { detail } = await json(Refusal, response);
    expect([response.status, detail.code]).toEqual([status, code]);
    expect(response.headers.get('x-request-id')).toBe(detail.request_id);
  });

  it('goes on after a function has died', async () => {
    await call('/things?do=exit');
    expect((await call('/things')).status).toBe(201);
  });

  it('streams a response while the function writes it', async () => {
    const response = await call('/lines?lines=4&slow=1');
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join('').trim().split('\n')).toHaveLength(4);
  });

  it('streams more than either side keeps, and stops when nobody reads', async () => {
    expect((await (await call('/lines?lines=200000')).text()).split('\n')).toHaveLength(200_001);
    const leaving = new AbortController();
    const response = await call('/lines?lines=100000000', { signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    // Of the one thread that serves the route, the next answer comes after the end of the one before.
    expect((await call('/lines')).status).toBe(200);
    expect(log.filter((line) => line.includes('/lines') || line.includes('stream_reader_gone'))).toEqual([]);
  });

  it('aborts the stream if the function fails', async () => {
    await expect(call('/lines?breakAt=1&slow=1').then((response) => response.text())).rejects.toThrow();
  });

  it.each(['abc', '-1', '1, 2'])('refuses the Content-Length %s by name (C-ERROR-11)', async (length) => {
    const answer = await raw(
      `POST /things HTTP/1.1\r\nHost: x\r\nX-Request-ID: mine\r\nContent-Length: ${length}\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_content_length"');
    expect(answer).toContain('X-Request-ID: mine');
  });

  it('gives a slow body up (C-LIMIT-2)', async () => {
    const answer = await raw('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{}');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"body_timeout"');
  });

  it('lets a page read that its body was too slow (C-POSTHOG-8, C-ERROR-13)', async () => {
    const answer = await raw('POST /collect/e HTTP/1.1\r\nHost: x\r\nOrigin: y\r\nContent-Length: 10\r\n\r\n{}');
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*access-control-allow-origin: \*.*collection-status: rejected/is);
    expect(answer).toMatch(/expose-headers: Retry-After, X-Request-ID, X-Service-Collection-Status\r/i);
  });

  it('refuses a body that is announced larger than it takes', async () => {
    const sending = request(`${service.baseUrl}/things`, { method: 'POST', headers: { 'content-length': 2 ** 40 } });
    sending.flushHeaders();
    const [response] = await once(sending, 'response');
    sending.destroy();
    expect(response.statusCode).toBe(413);
  });

  it('feeds the worker in batches, and brings back only what failed', async () => {
    const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: `m${index}` }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url('QueueUrl'), Entries }));
    await sqs.send(new SendMessageCommand({ QueueUrl: url('QueueUrl'), MessageBody: 'fail' }));
    await vi.waitFor(async () => expect(await inspect('DeadUrl')).toEqual(['fail']), 15_000);
    const received = (await json(Received, await call('/received'))).flat();
    // A busy machine may take longer for a batch than the queue waits: then all of it comes again.
    const bodies = new Set(received.map(({ body }) => body));
    expect(bodies).toEqual(new Set(['fail', ...Entries.map((entry) => entry.MessageBody)]));
    expect(received.filter(({ body }) => body === 'fail')).toMatchObject([{ count: '1' }, { count: '2' }]);
  });

  const url = (name: string): string => outputs(service.wiring)[name] ?? '';

  async function inspect(queue: string): Promise<string[]> {
    const look = new ReceiveMessageCommand({ QueueUrl: url(queue), MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
    return ((await sqs.send(look)).Messages ?? []).map(({ Body = '' }) => Body);
  }

  async function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
});
