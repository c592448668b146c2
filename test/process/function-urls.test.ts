import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as requestOf } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleChangedFunctions } from '../../lib/bundle-functions.ts';
import { functionNames } from '../../lib/function-specs.ts';
import { defaultTenant } from '../../lib/tenant.ts';
import { type Seeded, writeCredentials } from '../../local/credentials.ts';
import { startIssuer } from '../../local/issuer/issuer.ts';
import { listenOnLoopback } from '../../local/listen.ts';
import { localStores } from '../../local/run.ts';
import { seed } from '../../local/seed/seed.ts';
import { type Service, startService } from '../../local/service.ts';
import { synthesize } from '../../local/synthesize.ts';
import { issuerAddress } from '../../local/template/template.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { intakeRoutes } from '../../shared/contract/lineage.ts';
import type { Route } from '../../shared/contract/route.ts';
import { failures } from '../deploy/conformance.ts';
import { runEvent } from '../support/run-event.ts';

const conformance = path.resolve(import.meta.dirname, '../../../shared/conformance');

const running = new AsyncDisposableStack();
let service: Service;
let seeded: Seeded;
let credentials: string;
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'function-urls-'));
  running.defer(() => rm(folder, { recursive: true }));
  const issuer = await startIssuer(null);
  running.defer(issuer.stop);
  await bundleChangedFunctions(functionNames);
  const template = await synthesize({
    ...defaultTenant('local'),
    canary: false,
    functionUrls: ['collect', 'ingest'],
    reservedConcurrency: { collect: 10, ingest: 10 },
  });
  const Parameters = { [issuerAddress]: { Type: 'String', Default: issuer.baseUrl } };
  service = await startService({
    port: 0,
    folder: null,
    template: async () => ({ ...template, Parameters }),
    environment: {},
    strictAws: true,
    log: (line) => console.error(line),
  });
  running.defer(service.stop);
  const local = localStores(service);
  seeded = await seed({ folder: null, seed: 'conformance' }, local, issuer);
  credentials = path.join(folder, 'credentials.json');
  await writeCredentials(credentials, { base_url: await divided(), ...seeded, local });
});
afterAll(() => running.disposeAsync());

const places = new Map(
  Object.values<Route>(routes).flatMap((route) =>
    [route.path, ...(route.aliases ?? [])].map((place) => [place, route.function]),
  ),
);

/** The address of a service whose senders use the URLs, and whose other clients use the API. */
function divided(): Promise<string> {
  const server = createServer((received, response) => {
    const { method, url = '/', headers, rawHeaders } = received;
    const place = url.split('?', 1)[0] ?? '';
    const name = place.startsWith('/collect') ? 'collect' : (places.get(place) ?? '');
    const target = URL.parse(service.functionUrls[name] ?? service.baseUrl);
    const { hostname, port } = target ?? {};
    const sent = requestOf({ hostname, port, method, path: url, headers: rawHeaders, setHost: false });
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    if (headers.expect) response.writeContinue();
    received.pipe(sent);
  });
  running.defer(() => void server.close());
  return listenOnLoopback(server, 0);
}

const acme = () => {
  const { acme } = seeded.workspaces;
  if (acme === undefined) throw new Error('The seed has no workspace acme.');
  return acme;
};

const run = runEvent('postgres://warehouse.acme.test:5432', ['analytics.public.a'], ['analytics.public.b']);

const post = (name: 'collect' | 'ingest', place: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.functionUrls[name] + place, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
  });

it('takes events at the URL of collect, gzip too, and answers as the API does', async () => {
  const event = { id: randomUUID(), type: 'track', event: 'bought', user_id: 'u', timestamp: new Date().toISOString() };
  const batch = { project_key: acme().collection['project_key'], events: [event] };
  const plain = await post('collect', '/collect/v1/batch', batch, { 'x-request-id': 'own-request-1' });
  expect([plain.status, plain.headers.get('x-service-collection-status')]).toEqual([202, 'accepted']);
  expect(plain.headers.get('x-request-id')).toBe('own-request-1');
  const zipped = await post('collect', '/collect/v1/batch/', gzipSync(JSON.stringify(batch)), {
    'content-encoding': 'gzip',
  });
  expect(zipped.status).toBe(202);
  const other = await post('collect', '/v1/lineage/impact', batch);
  expect([other.status, Object(await other.json()).detail.code]).toEqual([404, 'not_found']);
});

it('accepts lineage at the URL of ingest with the API’s tokens, and refuses other tokens in the error envelope', async () => {
  const { id, tokens } = acme();
  const place = `${intakeRoutes.postOpenLineageEvent.path}?workspace_id=${id}`;
  const authorization = `Bearer ${tokens['editor']}`;
  const accepted = await post('ingest', place, run, { authorization });
  expect(accepted.status, await accepted.clone().text()).toBe(202);
  const stranger = await post('ingest', place, run);
  expect([stranger.status, Object(await stranger.json()).detail.code]).toEqual([401, 'unauthorized']);
  const read = await fetch(service.functionUrls['ingest'] + place, { headers: { authorization } });
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
});

/** What Lambda, or the server of this test, answers before the function is called. */
const answeredBefore = {
  'bodies that are refused at the door': 'Lambda refuses what is over 6 MB, without an envelope',
  'a body of exactly 8 MiB is accepted': 'Lambda accepts 6 MB a request: larger bodies go through an upload',
  'an invalid Content-Length': 'The server of this test cannot pass it on',
};

it.skipIf(!existsSync(conformance))(
  'keeps the contract for senders who use the URLs',
  async () => {
    const files = ['collection', 'segment', 'openlineage', 'declared'];
    expect(await failures(conformance, files, { credentials, without: Object.keys(answeredBefore) })).toEqual([]);
  },
  600_000,
);
