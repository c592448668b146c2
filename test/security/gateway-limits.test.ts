import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../local/service.ts';
import { localTemplate } from '../support/local-template.ts';

const Refusal = v.object({ detail: v.object({ code: v.string(), request_id: v.string() }) });
const Echo = v.object({ event: v.looseObject({ body: v.nullable(v.string()) }), together: v.number() });

const start = (strictAws: boolean, log: string[] = []): Promise<Service> =>
  startService({
    port: 0,
    folder: null,
    template: async () => localTemplate,
    environment: {},
    strictAws,
    verbose: true,
    log: (line) => log.push(line),
  });

describe('the gateway of the local service', () => {
  let service: Service;
  const log: string[] = [];
  beforeAll(async () => {
    service = await start(false, log);
  });
  afterAll(() => service.stop());

  /** All that comes back on its own connection, which this side does not end. */
  async function raw(head: string, keepsSending = false): Promise<string> {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.write(head);
    const sending = keepsSending ? setInterval(() => socket.write('x'.repeat(1_000)), 100) : undefined;
    await once(socket, 'close');
    clearInterval(sending);
    return Buffer.concat(chunks).toString();
  }

  function refusalIn(answer: string) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const { detail } = v.parse(Refusal, JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? ''));
    expect(head.toLowerCase()).toContain(`x-request-id: ${detail.request_id}`);
    return { status: Number(head.split(' ')[1]), code: detail.code };
  }

  it('answers what Node would refuse by itself in the envelope, with a request id', async () => {
    const close = 'Connection: close\r\n';
    expect(refusalIn(await raw(`GET /things HTTP/1.1\r\n${close}\r\n`))).toMatchObject({ status: 400 });
    const expecting = `POST /things HTTP/1.1\r\nHost: x\r\nExpect: the impossible\r\nContent-Length: 0\r\n${close}\r\n`;
    expect(refusalIn(await raw(expecting))).toMatchObject({ status: 417, code: 'validation_error' });
    expect(refusalIn(await raw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatchObject({ status: 400 });
    expect(refusalIn(await raw('NONSENSE\r\n\r\n'))).toMatchObject({ status: 400 });
  });

  it('lets any page read such a refusal, with the status of collection on its routes only (C-COLLECT-13, C-ERROR-13)', async () => {
    const refusals = [
      (target: string) => `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n`,
      (target: string) =>
        `POST ${target} HTTP/1.1\r\nHost: x\r\nExpect: y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    ];
    for (const refused of refusals)
      for (const [target, isCollection] of [
        ['/collect', true],
        ['/collect?x', true],
        ['/collect/e', true],
        ['/collected', false],
        ['/v1/providers', false],
      ] as const) {
        const answer = (await raw(refused(target))).toLowerCase();
        expect(answer).toContain('access-control-allow-origin: *');
        expect(answer.includes('x-service-collection-status: rejected'), target).toBe(isCollection);
      }
  });

  it('answers 413 at once, and does not take the rest for ever', async () => {
    const answer = await raw(`POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`, true);
    expect(refusalIn(answer)).toEqual({ status: 413, code: 'body_too_large' });
  });

  it('keeps hundreds of requests waiting for their turn, and answers all', async () => {
    const statuses = Array.from({ length: 500 }, () =>
      fetch(`${service.baseUrl}/things?do=wait`).then(async (response) => {
        const { together } = v.parse(Echo, await response.json());
        expect(together).toBeLessThanOrEqual(32);
        return response.status;
      }),
    );
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([201]));
  });

  it('loses only a function’s thread if a request takes all of its memory', async () => {
    expect((await fetch(`${service.baseUrl}/things?do=exhaust`)).status).toBe(502);
    expect((await fetch(`${service.baseUrl}/things`)).status).toBe(201);
  });

  it('logs a line for each request if it is asked to, without its query', async () => {
    await (await fetch(`${service.baseUrl}/things/logged?token=secret`)).text();
    expect(log.filter((line) => line.startsWith('GET /things/logged 201 '))).toHaveLength(1);
    expect(log.join('\n')).not.toContain('secret');
  });
});

describe('the local service under the rules of AWS', () => {
  let service: Service;
  beforeAll(async () => {
    service = await start(true);
  });
  afterAll(() => service.stop());

  const post = (body: Buffer, headers: Record<string, string> = {}, path = '/things') =>
    fetch(service.baseUrl + path, { method: 'POST', body: new Uint8Array(body), headers });
  const gzip = { 'content-encoding': 'gzip' };

  async function codeOf(response: Response) {
    return [response.status, v.parse(Refusal, await response.json()).detail.code];
  }

  it('inflates gzip before the integration, and answers 415 to what is none', async () => {
    const response = await post(gzipSync('{"a":1}'), gzip);
    const { event } = v.parse(Echo, await response.json());
    expect(Buffer.from(event.body ?? '', 'base64').toString()).toBe('{"a":1}');
    expect(event).toMatchObject({ headers: { 'content-encoding': 'gzip' } });
    expect((await post(gzipSync('{"a":1}').subarray(0, 12), gzip)).status).toBe(415);
    expect((await post(Buffer.from('plain'), gzip)).status).toBe(415);
  });

  it('accepts events of 6 MiB including base64, which takes a quarter', async () => {
    expect((await post(Buffer.alloc(4_600_000))).status).toBe(201);
    expect(await codeOf(await post(Buffer.alloc(4_720_000)))).toEqual([413, 'body_too_large']);
    expect(await codeOf(await post(gzipSync(Buffer.alloc(4_720_000)), gzip))).toEqual([413, 'body_too_large']);
    expect(await codeOf(await post(Buffer.alloc(11 * 1024 * 1024)))).toEqual([413, 'body_too_large']);
  });

  it('refuses answers over 6 MiB', async () => {
    expect((await fetch(`${service.baseUrl}/things?do=large`)).status).toBe(502);
  });

  it('keeps headers for itself that API Gateway keeps', async () => {
    const { headers } = await fetch(`${service.baseUrl}/things?do=refuse`);
    expect([headers.get('www-authenticate'), headers.get('x-amzn-remapped-www-authenticate')]).toEqual([
      null,
      'Bearer',
    ]);
  });

  const toUrl = (path: string, body: Buffer, headers: Record<string, string> = {}) =>
    fetch(service.functionUrls['Echo'] + path, { method: 'POST', body: new Uint8Array(body), headers });

  it('hands requests at a function URL over as Lambda does: text as text, and anything encoded as base64', async () => {
    const json = { 'content-type': 'application/json; charset=utf-8', 'X-Some': 'a', cookie: 'c=1' };
    const { event } = v.parse(Echo, await (await toUrl('/a%20b?x=1&x=2&y=%26', Buffer.from('{"ü":1}'), json)).json());
    expect(event).toMatchObject({
      version: '2.0',
      rawPath: '/a%20b',
      rawQueryString: 'x=1&x=2&y=%26',
      queryStringParameters: { x: '1,2', y: '&' },
      headers: { 'x-some': 'a', 'x-forwarded-proto': 'http' },
      cookies: ['c=1'],
      body: '{"ü":1}',
      isBase64Encoded: false,
      requestContext: { http: { method: 'POST', path: '/a%20b' } },
    });
    const zipped = gzipSync('{"a":1}');
    const sent = await toUrl('/', zipped, { ...json, ...gzip });
    expect(v.parse(Echo, await sent.json()).event).toMatchObject({
      body: zipped.toString('base64'),
      isBase64Encoded: true,
    });
  });

  it('refuses at a function URL as Lambda does: over 6 MiB, and where the function fails', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await toUrl('/', Buffer.alloc(6_200_000, 'x'), json)).status).toBe(201);
    const large = await toUrl('/', Buffer.alloc(6_291_456, 'x'), json);
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('6291456 bytes')]);
    expect((await toUrl('/?do=throw', Buffer.from('{}'), json)).status).toBe(502);
  });

  it('stops at a function URL with rules that are missing here', async () => {
    const { EchoUrl, ...others } = localTemplate.Resources;
    const Properties = { ...EchoUrl?.Properties, Cors: { AllowOrigins: ['*'] } };
    const Resources = { ...others, EchoUrl: { ...EchoUrl, Type: 'AWS::Lambda::Url', Properties, Metadata: {} } };
    const template = async () => ({ ...localTemplate, Resources });
    const starting = startService({ port: 0, folder: null, template, environment: {}, log: () => undefined });
    await expect(starting).rejects.toThrow('AWS::Lambda::Url EchoUrl has properties');
  });

  it('gives a container one event at a time', async () => {
    const together = Array.from({ length: 20 }, async () => {
      const response = await fetch(`${service.baseUrl}/things?do=wait`);
      return v.parse(Echo, await response.json()).together;
    });
    expect(new Set(await Promise.all(together))).toEqual(new Set([1]));
  });
});
