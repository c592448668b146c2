import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDuckdb } from '../../cli/duckdb.ts';
import { queryRows, writeViews } from '../../cli/events/query-rows.ts';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { eventCountReader } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { fixedSegmentPaths, segmentCalls } from '../../shared/contract/foreign-formats.ts';
import type { AcceptedBatch } from '../../shared/domain/events/accept-batch.ts';
import type { CollectionHttpPorts } from '../../shared/runtime/collection-http.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { callCollection, type Sent } from '../support/collection-call.ts';
import { type SeededProject, seedProject } from '../support/collection-seed.ts';
import { commandJson } from '../support/command-line.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { storeQueued } from '../support/events-worker.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let acme: SeededProject;
let globex: SeededProject;
let counted: SeededProject;
let ports: CollectionHttpPorts;

beforeAll(async () => {
  const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
  [acme, globex, counted] = await Promise.all([
    seedProject(table, 'https://app.acme.test'),
    seedProject(table, 'https://app.globex.test'),
    seedProject(table, 'https://app.counted.test'),
  ]);
  ports = collectPorts();
});

const call = (path: string, sent: Sent = {}, withPorts = ports) => callCollection(withPorts, path, sent);

const event = (extra: object = {}) => ({
  id: randomUUID(),
  type: 'track',
  timestamp: '2026-11-20T10:00:00Z',
  event: 'Order Placed',
  user_id: 'u-1',
  ...extra,
});
const post = (events: unknown[], sent: Sent = {}, { key } = acme, withPorts = ports) =>
  call('/collect/v1/batch', { body: { project_key: key, events }, ...sent }, withPorts);

const bucket = () => storeEventsPorts().bucket;
const rows = async ({ workspace } = acme) => {
  await storeQueued(storeEventsPorts(), stores.environment.EVENTS_QUEUE_URL);
  return (await gathered(storedLines(bucket(), workspace))).map((line) => JSON.parse(line));
};
const refused = (answer: Awaited<ReturnType<typeof call>>, status: number, code: string) => {
  expect([answer.status, answer.json.detail.code]).toEqual([status, code]);
  expect(answer.headers['x-service-collection-status']).toBe('rejected');
  expect(answer.headers['x-request-id']).toBe(answer.json.detail.request_id);
};

describe('the native route', () => {
  it('accepts a batch with a complete receipt, and stores its events with their origin (C-COLLECT-13, C-COLLECT-15, C-COLLECT-17, C-LAKE-3)', async () => {
    const [plain, trusted] = [
      event({ properties: { big: 1, nested: [1, { ключ: null }] } }),
      event({ type: 'page', event: null }),
    ];
    const answer = await post([plain], { headers: { 'X-Request-ID': 'mine-1' } });
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({
      status: 'accepted',
      received: 1,
      received_at: answer.json.received_at,
      request_id: 'mine-1',
    });
    expect(answer.headers).toMatchObject({ 'x-request-id': 'mine-1', 'x-service-collection-status': 'accepted' });
    await post([trusted], { headers: { Authorization: `Bearer ${acme.serverKey}` } });
    const stored = await rows();
    const origin = { workspace_id: acme.workspace, project_id: acme.project, environment: 'prod' };
    const { received_at } = answer.json;
    expect(stored.find(({ id }) => id === plain.id)).toEqual({
      ...plain,
      ...origin,
      received_at,
      request_id: 'mine-1',
      trusted: false,
    });
    expect(stored.find(({ id }) => id === trusted.id)).toMatchObject({ type: 'page', trusted: true });
    expect(JSON.stringify(stored)).not.toContain(acme.key);
  });

  it('refuses an object that names a key twice, by its place (C-COLLECT-22)', async () => {
    const text = JSON.stringify(event({ properties: { a: 1 } })).replace('"a":1', '"a":1,"a":2');
    const answer = await call('/collect/v1/batch', { body: `{"project_key":"${acme.key}","events":[${text}]}` });
    refused(answer, 400, 'invalid_json');
    expect(answer.json.detail.errors.map(({ path }: { path: string }) => path)).toEqual(['/events/0/properties']);
  });

  it('takes plain JSON under gzip’s header only for what API Gateway inflated (C-COLLECT-22)', async () => {
    const headers = { 'Content-Encoding': 'x-gzip' };
    refused(await post([event()], { headers }), 400, 'invalid_compression');
    const body = { api_key: acme.key, batch: [{ event: 'e', distinct_id: 'u' }] };
    refused(await call('/collect/batch', { headers, body }), 400, 'invalid_compression');
  });

  it('keeps every digit of a number (C-LAKE-4)', async () => {
    const id = randomUUID();
    const text = `{"id":"${id}","type":"track","timestamp":"2026-11-20T10:00:00Z","event":"e","user_id":"u","properties":{"n":12345678901234567890,"d":0.1000000000000000055,"p":0.10,"z":-0,"e":1E+2,"l":[1.50, 2e400]}}`;
    expect((await call('/collect/v1/batch', { body: `{"project_key":"${acme.key}","events":[${text}]}` })).status).toBe(
      202,
    );
    await rows();
    const lines = await gathered(storedLines(bucket(), acme.workspace));
    expect(lines.find((line) => line.includes(id))).toContain(text.slice(0, -1).replace(', ', ','));
  });

  it('stores the first value of an id, across batches, within one, and apart from other workspaces (C-LAKE-1, C-COLLECT-3, C-COLLECT-12)', async () => {
    const [id, twice] = [randomUUID(), randomUUID()];
    await post([
      event({ id, properties: { v: 1 } }),
      event({ id: twice, properties: { v: 1 } }),
      event({ id: twice, properties: { v: 2 } }),
    ]);
    await rows();
    await Promise.all([
      post([event({ id, properties: { v: 2 } })]),
      post([event({ id: twice, properties: { v: 3 } })]),
    ]);
    await post([event({ id, properties: { v: 9 } })], {}, globex);
    expect((await post([event({ id }), event({ id: twice })])).json.received).toBe(2);
    const stored = (await rows()).filter((row) => row.id === id || row.id === twice);
    expect(stored.map(({ properties }) => properties.v)).toEqual([1, 1]);
    expect((await rows(globex)).find((row) => row.id === id).properties.v).toBe(9);
  });

  it('compares UUIDs as numbers, whatever the case of their digits, and other ids as text (C-LAKE-1)', async () => {
    const [id, text] = [randomUUID(), `Text ${randomUUID()}`];
    const ids = [id.toUpperCase(), id, text, text.toUpperCase()];
    for (const one of ids) await post([event({ id: one, event: `case ${id}` })]);
    const stored = (await rows()).filter((row) => row.event === `case ${id}`);
    expect(stored.map((row) => row.id)).toEqual([ids[0], text, text.toUpperCase()]);
  });

  it('stores an action without id and time once for each answer, and the retry of a failure once (C-COLLECT-23)', async () => {
    const distinct_id = randomUUID();
    const body = { api_key: acme.key, event: 'Logged In', distinct_id };
    const failing = {
      ...ports,
      sink: {
        ...ports.sink,
        accept: async (batch: AcceptedBatch) => {
          await ports.sink.accept(batch);
          throw new Error('the answer is lost');
        },
      },
    };
    expect((await call('/collect/e/', { body }, failing)).status).toBe(503);
    for (let sent = 0; sent < 3; sent++) expect((await call('/collect/e/', { body })).status).toBe(200);
    expect((await rows()).filter((row) => row.user_id === distinct_id)).toHaveLength(3);
  });

  it('refuses before storing anything: keys, origins, and one bad event of many (C-COLLECT-10, C-COLLECT-14, C-COLLECT-16)', async () => {
    const before = (await rows()).length;
    refused(await post([event()], {}, { ...acme, key: 'nope' }), 401, 'invalid_project_key');
    refused(await post([event()], {}, { ...acme, key: acme.revokedKey }), 401, 'invalid_project_key');
    refused(await post([event()], {}, { ...acme, key: acme.serverKey }), 401, 'invalid_project_key');
    for (const key of [acme.revokedServerKey, globex.serverKey, acme.key, 'wrong'])
      refused(await post([event()], { headers: { Authorization: `Bearer ${key}` } }), 401, 'invalid_server_key');
    refused(
      await post([event()], { headers: { Authorization: `Basic ${acme.serverKey}` } }),
      401,
      'invalid_server_key',
    );
    refused(await post([event()], { headers: { Origin: globex.origin } }), 403, 'origin_not_allowed');
    refused(await post([event()], { headers: { Origin: 'null' } }), 403, 'origin_not_allowed');
    const bad = await post([event(), event({ secret_field: 's3cr3t', event: '$x' })]);
    refused(bad, 422, 'invalid_event');
    expect(bad.json.detail.errors[0].path).toBe('/events/1');
    expect(JSON.stringify(bad.json)).not.toMatch(/s3cr3t|secret_field/);
    expect((await rows()).length).toBe(before);
  });

  it('limits each key to its own rate (C-COLLECT-19)', async () => {
    const limited = { ...acme, key: acme.limitedKey };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post([event()], {}, limited)));
    const over = answers.filter(({ status }) => status === 429);
    expect(over.length).toBeGreaterThan(0);
    expect(over.length).toBeLessThan(20);
    for (const answer of over) expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect((await post([event()])).status).toBe(202);
  });

  it('answers 503 while it is disabled or its sink is away, and 200 if it discards (C-COLLECT-11, C-COLLECT-20)', async () => {
    refused(await post([event()], {}, acme, { ...ports, enabled: false }), 503, 'collection_disabled');
    const id = randomUUID();
    const failing = {
      ...ports,
      sink: { status: 'accepted' as const, accept: () => Promise.reject(new Error('down')) },
    };
    const failed = await post([event({ id })], {}, acme, failing);
    refused(failed, 503, 'delivery_unavailable');
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0);
    const half = {
      ...ports,
      sink: {
        ...ports.sink,
        accept: async (batch: AcceptedBatch) => {
          await ports.sink.accept(batch);
          throw new Error('lost');
        },
      },
    };
    refused(await post([event({ id })], {}, acme, half), 503, 'delivery_unavailable');
    expect((await post([event({ id })])).status).toBe(202);
    expect((await rows()).filter((row) => row.id === id).length).toBe(1);

    const discarding = { ...ports, sink: { status: 'discarded' as const, accept: async () => {} } };
    const discarded = await post([event()], {}, acme, discarding);
    expect([discarded.status, discarded.json.status]).toEqual([200, 'discarded']);
    expect(discarded.headers['x-service-collection-status']).toBe('discarded');
  });
});

describe('the deployment’s settings', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('say whether events are accepted, and whether they are stored or discarded', async () => {
    vi.stubEnv('COLLECTION_SINK', 'discard');
    const before = (await rows()).length;
    expect((await post([event()], {}, acme, collectPorts())).json.status).toBe('discarded');
    expect((await rows()).length).toBe(before);
    vi.stubEnv('COLLECTION_ENABLED', 'false');
    refused(await post([event()], {}, acme, collectPorts()), 503, 'collection_disabled');
  });

  it('set the rate of each key without a rate (C-COLLECT-19)', async () => {
    vi.stubEnv('COLLECT_RATE', '1');
    vi.stubEnv('COLLECT_BURST', '2');
    const at = new Date();
    const slow = { ...collectPorts(), clock: { now: () => at } };
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post([event(), event()], {}, acme, slow)).status);
    expect(statuses).toEqual([202, 429, 429]);
  });
});

describe('browsers', () => {
  const preflight = (path: string, origin: string) =>
    call(path, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } });

  it('may send the headers that their pages add to each request, such as those of tracing (C-COLLECT-18)', async () => {
    const ask = (path: string, named: string) =>
      call(path, { method: 'OPTIONS', headers: { Origin: acme.origin, 'Access-Control-Request-Headers': named } });
    for (const path of ['/collect/v1/batch', '/collect/e/', '/collect/i/v1/analytics/events', '/collect/segment/v1/t'])
      for (const named of ['baggage,sentry-trace', 'traceparent, content-type', 'x-datadog-trace-id'])
        expect((await ask(path, named)).headers['access-control-allow-headers']).toBe(named);
    expect((await ask('/collect/e/', 'a b; c\r\n')).headers['access-control-allow-headers']).toContain('Content-Type');
  });

  it('get a preflight answered for an origin that some project allows, and for no other (C-COLLECT-18)', async () => {
    for (const origin of [acme.origin, globex.origin]) {
      const { status, headers } = await preflight('/collect/v1/batch', origin);
      expect(status).toBe(204);
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
      expect(headers['access-control-allow-methods']).toContain('POST');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers).not.toHaveProperty('x-service-collection-status');
    }
    refused(await preflight('/collect/e/', 'https://evil.test'), 403, 'origin_not_allowed');
    refused(await preflight('/collect/flags/', acme.origin), 404, 'not_found');
  });

  it('can read receipts, refusals and 404s (C-POSTHOG-8)', async () => {
    const headers = { Origin: acme.origin };
    const answers = [
      await post([event()], { headers }),
      await post([], { headers }),
      await call('/collect/flags/', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 422, 404]);
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBe(acme.origin);
      const exposed = 'Retry-After, X-Request-ID, X-Service-Collection-Status';
      expect(answer.headers['access-control-expose-headers']).toBe(exposed);
    }
    const evil = await call('/collect/flags/', { headers: { Origin: 'https://evil.test' } });
    expect(evil.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('paths', () => {
  it('refuses an unknown path and an unknown method of a route in the envelope (C-COLLECT-13)', async () => {
    for (const path of [
      '/collect',
      '/collect/%zz',
      '/collect/decide/',
      '/collect/s/',
      '/collect/v1/batch/extra',
      '/collect/array/key/config.js',
    ]) {
      const response = await call(path);
      refused(response, 404, 'not_found');
      expect(response.json.detail.message).toBe('No such endpoint.');
    }
    refused(await call('/collect/v1/batch', { method: 'GET' }), 405, 'method_not_allowed');
  });

  it('takes the compatible routes with and without the final slash, and answers exactly 200 (C-POSTHOG-1, C-POSTHOG-2, C-POSTHOG-19)', async () => {
    const sdk = () => ({ uuid: randomUUID(), event: 'Order Placed', distinct_id: 'u-1', properties: { total: 5 } });
    for (const path of ['/collect/e', '/collect/i/v0/e', '/collect/batch'].flatMap((one) => [one, `${one}/`])) {
      const answer = await call(path, {
        body: gzipSync(JSON.stringify({ api_key: acme.key, batch: [sdk(), sdk()] })),
        headers: { 'Content-Type': 'text/plain' },
      });
      expect([answer.status, answer.json.received]).toEqual([200, 2]);
    }
    refused(await call('/collect/batch/', { body: { api_key: acme.key, batch: [] } }), 400, 'invalid_batch');
  });

  it('takes Segment’s format on each of its paths, and answers what its SDKs take for success (C-SEGMENT-1, C-SEGMENT-10, C-SEGMENT-11)', async () => {
    const message = { writeKey: acme.key, userId: 'u-1', event: 'Order Placed', groupId: 'g-1' };
    const calls = Object.entries(segmentCalls);
    for (const [place, type] of calls.flatMap(([one, type]) => [[one, type] as const, [`${one}/`, type] as const])) {
      const body = type === 'batch' ? { writeKey: acme.key, batch: [{ ...message, type: 'track' }] } : message;
      const answer = await call(`/collect/segment/v1/${place}`, { body });
      expect([answer.status, answer.json]).toEqual([200, { success: true }]);
      expect(answer.headers['x-service-collection-status']).toBe('accepted');
    }
    for (const place of fixedSegmentPaths) {
      const one = place.endsWith('import') ? { batch: [{ ...message, type: 'track' }] } : message;
      const headers = { 'X-Write-Key': `${acme.key}:secret` };
      expect((await call(place, { body: { ...one, writeKey: undefined }, headers })).status).toBe(200);
    }
    refused(await call('/collect/segment/v1/projects', { body: message }), 404, 'not_found');
    const rudderstack = await call('/collect/segment/v1/track', {
      method: 'OPTIONS',
      headers: { Origin: acme.origin, 'Access-Control-Request-Headers': 'authorization,anonymousid,x-write-key' },
    });
    expect(rudderstack.headers['access-control-allow-headers']).toBe('authorization,anonymousid,x-write-key');
    const native = await call('/collect/v1/batch', { method: 'OPTIONS', headers: { Origin: acme.origin } });
    expect(native.headers['access-control-allow-headers']).not.toContain('Authorization');
  });

  it('answers overload with 503, and 429 only for the rate of the project (C-POSTHOG-3)', async () => {
    const body = (api_key: string) => ({ api_key, batch: [{ event: 'Order Placed', distinct_id: 'u-1' }] });
    const sink = { status: 'accepted' as const, accept: () => Promise.reject(new Error('overloaded')) };
    const overloaded = await call('/collect/batch/', { body: body(acme.key) }, { ...ports, sink });
    refused(overloaded, 503, 'delivery_unavailable');
    // A key whose bucket no other test takes from.
    const send = () => call('/collect/batch/', { body: body(globex.limitedKey) });
    const statuses = (await Promise.all(Array.from({ length: 20 }, send))).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([200, 429]);
  });
});

describe('the counts of a project', () => {
  it('count stored, repeated and rejected events, by code (C-COUNT-1)', async () => {
    await rows(counted);
    const known = event();
    await post([known, event()], {}, counted);
    await post([known], {}, counted);
    await rows(counted);
    // Each in a separate new process: none waits for a pause to end.
    const refuse = (events: unknown[], sent: Sent = {}) => post(events, sent, counted, collectPorts());
    await refuse([event(), { ...event(), event: undefined }]);
    await refuse([event()], { headers: { Origin: 'https://elsewhere.test' } });
    await refuse([event()], { headers: { Authorization: 'Bearer nothing' } });
    await post([event()], {}, { ...counted, key: 'unknown' });
    const today = new Date().toISOString().slice(0, 10);
    expect(
      await eventCountReader({ client: dynamodb(), name: stores.environment.EVENT_TABLE_NAME })(
        counted.workspace,
        counted.project,
        [today],
      ),
    ).toEqual([
      {
        date: today,
        accepted: 2,
        repeated: 1,
        suppressed: 0,
        rejected: { invalid_event: 2, origin_not_allowed: 1, invalid_server_key: 1 },
        violations: { '/event is required for track': 1 },
        senders: expect.anything(),
        other_senders: null,
      },
    ]);
  });

  it('fail no request if they cannot be written (C-COUNT-2)', async () => {
    vi.stubEnv('EVENT_TABLE_NAME', 'no-such-table');
    refused(await post([{ ...event(), event: undefined }], {}, counted, collectPorts()), 422, 'invalid_event');
    vi.unstubAllEnvs();
  });
});

describe('erasing a user', () => {
  it('removes the events, keeps their ids, and is noted without the name (C-ERASE-1)', async () => {
    const { file, remove } = await credentialsFile();
    const [user_id, other] = [`gone ${randomUUID()}`, `stays ${randomUUID()}`];
    const sent = [event({ user_id }), event({ user_id, properties: { n: 1 } }), event({ user_id: other })];
    await post(sent, {}, globex);
    const usersOf = async () =>
      (await rows(globex)).map((row) => row.user_id).filter((one) => sent.some((event) => event.user_id === one));
    expect((await usersOf()).sort()).toEqual([user_id, user_id, other].sort());
    const erase = () =>
      commandJson(['admin', 'events', 'erase', globex.workspace, '--user', user_id, '--credentials', file]);
    expect(await erase()).toMatchObject({
      rows: 2,
      objects: 1,
      not_stored_yet: 0,
      iceberg: expect.stringContaining('no Athena'),
    });
    await post(sent, {}, globex);
    expect(await usersOf()).toEqual([other]);
    expect(await erase()).toMatchObject({
      rows: 0,
      objects: 0,
      not_stored_yet: 0,
      iceberg: expect.stringContaining('no Athena'),
    });
    const audit = await commandJson(['admin', 'audit', globex.workspace, '--credentials', file]);
    expect(audit.slice(0, 4).map(({ action }: { action: string }) => action)).toEqual([
      'events.erased',
      'events.erase',
      'events.erased',
      'events.erase',
    ]);
    expect(JSON.stringify(audit)).not.toContain(user_id);
    await remove();
  });

  it('removes what a user did before signing in, and lists first what that is (C-ERASE-4)', async () => {
    const { file, remove } = await credentialsFile();
    const run = randomUUID();
    const [user_id, other, own, shared] = ['ada', 'bob', 'own', 'shared'].map((name) => `${name} ${run}`);
    const group = { type: 'group', event: undefined, group_type: 'company', group_key: run };
    await post(
      [
        event({ user_id: undefined, anonymous_id: own, event: 'before' }),
        event({ user_id, anonymous_id: own, event: 'after' }),
        event({ user_id, anonymous_id: shared, event: 'after' }),
        event({ user_id: other, anonymous_id: shared, event: 'theirs' }),
        event({ user_id: undefined, anonymous_id: shared, event: 'of both' }),
        event({ ...group, user_id: other, traits: { owner: user_id } }),
      ],
      {},
      globex,
    );
    const left = async () =>
      (await rows(globex)).filter((row) => JSON.stringify(row).includes(run)).map((row) => row.event ?? row.type);
    await left();
    const erase = (...more: string[]) =>
      commandJson([
        'admin',
        'events',
        'erase',
        globex.workspace,
        '--user',
        user_id ?? '',
        ...more,
        '--credentials',
        file,
      ]);
    const links = { anonymous_ids: [own], shared_anonymous_ids: [shared], group_rows: 1 };
    expect(await erase('--dry-run')).toEqual({ dry_run: true, rows: 2, ...links, not_stored_yet: 0 });
    expect(await left()).toHaveLength(6);
    expect(await erase()).toMatchObject({ rows: 3, ...links });
    expect((await left()).sort()).toEqual(['group', 'of both', 'theirs']);
    await remove();
  });
});

describe('reading back by SQL', () => {
  it('queries the rows by their names, also text that DuckDB would refuse (C-LAKE-2)', async () => {
    const id = randomUUID();
    await post([
      event({
        id,
        event: 'half \ud83d of one',
        properties: { total: 5, odd: '\\ud83d \udc00' },
        groups: { company: 'acme' },
      }),
    ]);
    await rows();
    const sql = `select event, properties->>'total' as total, groups['company'] as company, environment, trusted, hour is not null as hour from events where id = '${id}';`;
    const [line, ...rest] = await gathered(queryRows(bucket(), { workspace: acme.workspace, sql, allowFiles: false }));
    expect(rest).toEqual([]);
    expect(JSON.parse(line ?? '')).toEqual({
      event: 'half \ufffd of one',
      total: '5',
      company: 'acme',
      environment: 'prod',
      trusted: false,
      hour: true,
    });
    expect(
      await gathered(
        queryRows(bucket(), { workspace: 'ws_empty', sql: 'select count(*) as n from events', allowFiles: false }),
      ),
    ).toEqual(['{"n":0}']);
  });

  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])(
    'is in UTC and exact, also in the zone %s (C-LAKE-2)',
    async (zone) => {
      vi.stubEnv('TZ', zone);
      const user_id = randomUUID();
      const text = JSON.stringify(event({ user_id, timestamp: new Date().toISOString() })).slice(0, -1);
      const body = `{"project_key":"${acme.key}","events":[${text},"properties":{"price":0.1234567890123456789,"id":12345678901234567890}}]}`;
      expect((await call('/collect/v1/batch', { body })).status).toBe(202);
      await rows();
      const sql = `select (properties->>'price')::decimal(38,20) as price, properties->>'id' as id, occurred_at = timestamp::timestamp as same,
      received_at between now() - interval 1 hour and now() as recent from people where person = '${user_id}'`;
      const [line] = await gathered(queryRows(bucket(), { workspace: acme.workspace, sql, allowFiles: false }));
      vi.unstubAllEnvs();
      expect(line).toBe('{"price":0.12345678901234567890,"id":"12345678901234567890","same":true,"recent":true}');
    },
  );

  it('is a DuckDB file with views for other tools, which a second writing refreshes (C-LAKE-7)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'views-'));
    const count = async () => {
      const file = await writeViews(bucket(), globex.workspace, folder);
      const connection = await openDuckdb('--view', file);
      const answer = await connection.runAndReadAll('select sum(events)::int as n from events_by_day');
      connection.disconnectSync();
      return Number(answer.getRowObjectsJson()[0]?.['n'] ?? 0);
    };
    await rows(globex);
    const before = await count();
    await post([event()], {}, globex);
    await rows(globex);
    expect(await count()).toBe(before + 1);
    rmSync(folder, { recursive: true });
  });

  it('answers with the types of the catalogue, also if keys differ only in their case', async () => {
    const id = randomUUID();
    const text = `{"id":"${id}","type":"track","timestamp":"2026-11-20T10:00:00.1234567+05:30","event":"e","user_id":"u","groups":{"Company":"A","company":"c"},"properties":{"URL":1,"Url":2,"url":4}}`;
    const sent = await call('/collect/v1/batch', { body: `{"project_key":"${acme.key}","events":[${text}]}` });
    expect(sent.status).toBe(202);
    await rows();
    const sql = `select groups['Company'] || groups['company'] as groups, properties->>'URL' as upper, properties->>'Url' as mixed,
      timestamp, typeof(received_at) as type, epoch_ms(received_at) as received from events where id = '${id}'`;
    const answer = await gathered(queryRows(bucket(), { workspace: acme.workspace, sql, allowFiles: false }));
    expect(answer.map((line) => JSON.parse(line))).toEqual([
      {
        groups: 'Ac',
        upper: '1',
        mixed: '2',
        timestamp: '2026-11-20T10:00:00.1234567+05:30',
        type: 'TIMESTAMP',
        received: Date.parse(sent.json.received_at),
      },
    ]);
  });
});
