import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { intakeImplementations } from '../../functions/ingest/intake.ts';
import { uploadImplementations } from '../../functions/uploads/uploads.ts';
import { putObject } from '../../shared/adapters/s3/bucket.ts';
import type { ConnectorId, DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { limits } from '../../shared/contract/limits.ts';
import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { type UploadTicket, uploadRoutes } from '../../shared/contract/uploads.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { httpPorts, uploadPorts } from '../../shared/runtime/composition/intake.ts';
import { rawBucket } from '../../shared/runtime/composition/stores.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { gathered } from '../support/gathered.ts';
import { intakePorts } from '../support/intake-ports.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let workspace: WorkspaceId;
let connector: ConnectorId;
let token: string;
let respond: ReturnType<typeof responder>;
let direct: ReturnType<typeof responder>;
let now = () => new Date();
let built = 0;

beforeAll(async () => {
  const ports = { ...uploadPorts(), clock: { now: () => now() } };
  const http = { ...httpPorts(), clock: { now: () => now() } };
  respond = responder(uploadRoutes, uploadImplementations(ports), http);
  direct = responder(intakeRoutes, intakeImplementations(ports), http);
});
beforeEach(async () => {
  now = () => new Date();
  workspace = (await world.workspace(`uploads-${built++}`)).id;
  const { record } = await createConnector(world.operator, workspace, { name: 'duck', kind: 'duckdb' });
  connector = record.id;
  token = (await world.token(workspace, `uploads-${built - 1}-editor`, ['write'])).token;
});

type Parts = Parameters<typeof request>[2];
const answer = async (via: typeof respond, resource: string, parts: Parts) => {
  const { status, body } = await via(request('POST', resource, { token, ...parts }));
  return { status, json: JSON.parse(String(body)) };
};

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const announce = (bytes: Uint8Array, extra: object) =>
  answer(respond, '/v1/uploads', {
    body: { workspace_id: workspace, content_length: bytes.byteLength, sha256: hex(bytes), ...extra },
  });
const put = ({ url, headers }: UploadTicket, bytes: Uint8Array) =>
  fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes) });
const complete = (upload_id: string, workspace_id: string = workspace) =>
  answer(respond, '/v1/uploads/{upload_id}/complete', { params: { upload_id }, body: { workspace_id } });

async function upload(bytes: Uint8Array, extra: object) {
  const { status, json: ticket } = await announce(bytes, extra);
  expect(status).toBe(201);
  expect((await put(ticket, bytes)).status).toBe(200);
  return complete(ticket.upload_id);
}

const event = (runId = '0190a0e2-0000-7000-8000-000000000001') => ({
  eventTime: '2026-01-01T00:00:00Z',
  producer: 'https://example.test/producer',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  eventType: 'COMPLETE',
  run: { runId },
  job: { namespace: 'jobs', name: 'load' },
  inputs: [{ namespace: 'duckdb://a', name: 'main.x' }],
  outputs: [{ namespace: 'duckdb://a', name: 'main.y' }],
});
const model = (name: string, on: string[]) => ({
  resource_type: 'model',
  database: 'shop',
  schema: 'main',
  alias: name,
  compiled_code: `select * from main.${on[0] ?? 'x'}`,
  depends_on: { nodes: on.map((one) => `model.${one}`) },
});
const manifest = () => ({
  workspace_id: workspace,
  connector_id: connector,
  manifest: {
    metadata: { adapter_type: 'duckdb' },
    nodes: { 'model.a': model('a', []), 'model.b': model('b', ['a']) },
  },
});

const project = () => ({
  workspace_id: workspace,
  connector_id: connector,
  project: {
    schema: 'service.sqlmesh-project@v1',
    environment: 'prod',
    models: [
      { fqn: '"shop"."main"."b"', depends_on: ['"shop"."main"."a"'], rendered_sql: 'select 1 as x' },
      { fqn: 5 },
    ],
  },
});

describe('an upload', () => {
  it.each([
    ['openlineage_event', '/api/v1/lineage', event],
    ['openlineage_batch', '/api/v1/lineage/batch', () => [event(), 5]],
    ['dbt_manifest', '/v1/lineage/dbt/manifest', manifest],
    ['sqlmesh_project', '/v1/lineage/sqlmesh/project', project],
    [
      'datahub_catalog',
      '/v1/lineage/datahub',
      () => ({ workspace_id: workspace, connector_id: connector, export: [{ urn: 'urn:li:dashboard:(looker,1)' }] }),
    ],
  ])('of %s is the delivery of the same body sent to %s (C-UPLOAD-2)', async (kind, path, body) => {
    const bytes = bytesOf(body());
    const uploaded = await upload(bytes, { kind });
    expect(uploaded).toMatchObject({ status: 202, json: { duplicate: false } });
    const sent = await answer(direct, path, { body: bytes });
    const { dispatch_requested: _, duplicate_of: __, ...receipt } = sent.json;
    expect(sent.status).toBe(202);
    expect(uploaded.json).toMatchObject({ ...receipt, duplicate: false });
    expect(receipt.duplicate).toBe(true);
    const { deliveries, payloads } = intakePorts();
    const delivery = await deliveries.get(workspace, receipt.delivery_id as DeliveryId);
    if (!delivery) throw new Error('not kept');
    expect(Buffer.concat(await gathered(await payloads.stream(delivery))).equals(bytes)).toBe(true);
  });

  it('takes a body that is larger than any request', async () => {
    const large = { ...manifest(), manifest: { ...manifest().manifest, docs: { text: 'x'.repeat(12 * 1024 * 1024) } } };
    expect(await upload(bytesOf(large), { kind: 'dbt_manifest' })).toMatchObject({ status: 202, json: { models: 2 } });
  });

  it('is the same delivery as its bytes sent directly, for an event of exactly 8 MiB', async () => {
    const padded = (text: string) => bytesOf({ ...event(), pad: text });
    const bytes = padded('x'.repeat(limits.openlineage.bodyBytes - padded('').byteLength));
    expect(bytes.byteLength).toBe(limits.openlineage.bodyBytes);
    const uploaded = await upload(bytes, { kind: 'openlineage_event' });
    const sent = await answer(direct, '/api/v1/lineage', { body: bytes });
    expect([uploaded.status, sent.status]).toEqual([202, 202]);
    expect(sent.json).toEqual({ ...uploaded.json, duplicate: true });
  });

  it('takes gzip for documents, by its compressed length', async () => {
    const bytes = gzipSync(bytesOf(manifest()));
    const uploaded = await upload(bytes, { kind: 'dbt_manifest', content_encoding: 'gzip' });
    expect(uploaded).toMatchObject({ status: 202, json: { models: 2, duplicate: false } });
    expect(await answer(direct, '/v1/lineage/dbt/manifest', { body: bytesOf(manifest()) })).toMatchObject({
      json: { delivery_id: uploaded.json.delivery_id, duplicate: true },
    });
  });

  it('is bound to the key and the content of its document; the key is not part of the content (C-INGEST-6)', async () => {
    const keyed = (extra: object) => bytesOf({ ...manifest(), source_event_key: 'k', ...extra });
    const uploaded = await upload(keyed({}), { kind: 'dbt_manifest' });
    const sent = (body: object) =>
      answer(direct, '/v1/lineage/dbt/manifest', { body, headers: { 'idempotency-key': 'k' } });
    expect(await sent(manifest())).toMatchObject({
      json: { delivery_id: uploaded.json.delivery_id, duplicate: true },
    });
    const other = { ...manifest(), manifest: { ...manifest().manifest, macros: { m: { sql: 'x' } } } };
    expect((await sent(other)).json.detail.code).toBe('lineage_idempotency_conflict');
  });

  it('is bound to its key, feed and connector as a direct request is', async () => {
    const extra = { kind: 'openlineage_event', idempotency_key: 'k', provider_key: 'p', connector_id: connector };
    const first = await upload(bytesOf(event()), extra);
    expect(first.status).toBe(202);
    const headers = { 'idempotency-key': 'k' };
    const query = { provider_key: 'p', connector_id: connector };
    expect(await answer(direct, '/api/v1/lineage', { body: event(), headers, query })).toMatchObject({
      json: { delivery_id: first.json.delivery_id, duplicate: true },
    });
    const other = await upload(bytesOf({ ...event(), eventType: 'START' }), extra);
    expect(other.json.detail.code).toBe('lineage_idempotency_conflict');
  });

  it('may be completed again, which is a duplicate', async () => {
    const bytes = bytesOf(event());
    const { json: ticket } = await announce(bytes, { kind: 'openlineage_event' });
    await put(ticket, bytes);
    const [first, second] = [await complete(ticket.upload_id), await complete(ticket.upload_id)];
    expect([first.json.duplicate, second.json.duplicate]).toEqual([false, true]);
    expect(second.json.delivery_id).toBe(first.json.delivery_id);
  });
});

describe('the URL of an upload', () => {
  it('signs the length and the digest of the upload (C-UPLOAD-1)', async () => {
    const bytes = bytesOf(event());
    const { json: ticket } = await announce(bytes, { kind: 'openlineage_event' });
    const signed = new URL(ticket.url).searchParams;
    expect(signed.get('X-Amz-SignedHeaders')?.split(';')).toEqual(
      expect.arrayContaining(['content-length', 'x-amz-checksum-sha256']),
    );
    expect(signed.get('X-Amz-Expires')).toBe(String(limits.upload.putWithin));
    expect([...signed.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
    expect(ticket.headers).toEqual({
      'content-length': String(bytes.byteLength),
      'x-amz-checksum-sha256': createHash('sha256').update(bytes).digest('base64'),
    });
  });
});

describe('what an upload refuses', () => {
  const small = { kind: 'openlineage_event' };

  it.each([
    ['openlineage_event', limits.openlineage.bodyBytes + 1, 'openlineage_body_too_large'],
    ['dbt_manifest', limits.declared.bodyBytes + 1, 'body_too_large'],
  ])('%s of %i bytes is %s (C-OPENLINEAGE-4, C-DECLARED-12)', async (kind, content_length, code) => {
    const { status, json } = await announce(bytesOf({}), { kind, content_length });
    expect([status, json.detail.code]).toEqual([413, code]);
  });

  it.each([
    [{ kind: 'nothing' }, '/kind'],
    [{ ...small, sha256: 'AB' }, '/sha256'],
    [{ ...small, content_length: 0 }, '/content_length'],
    // The name of a field that is not documented is never repeated.
    [{ ...small, content_encoding: 'gzip' }, ''],
    [{ ...small, connector_id: 'nobody' }, '/connector_id'],
  ])('%j breaks a rule at %s', async (extra, path) => {
    const { status, json } = await announce(bytesOf({}), extra);
    expect([status, json.detail.code, json.detail.errors[0].path]).toEqual([422, 'validation_error', path]);
  });

  it('is what the direct route refuses (C-ERROR-12)', async () => {
    expect((await upload(Buffer.from('{"a":1,"a":2}'), small)).json.detail.code).toBe('openlineage_invalid_json');
    expect((await upload(bytesOf([]), small)).json.detail.code).toBe('openlineage_invalid_event');
    const nobody = await upload(bytesOf({ ...manifest(), connector_id: 'nobody' }), { kind: 'dbt_manifest' });
    expect(nobody.json.detail).toMatchObject({ code: 'validation_error', errors: [{ path: '/connector_id' }] });
    const twice = await upload(Buffer.from('{"a":1,"a":2}'), { kind: 'dbt_manifest' });
    expect([twice.status, twice.json.detail.code]).toEqual([400, 'invalid_json']);
  });

  it.each([
    ['bytes that gzip did not make', () => Buffer.from('no gzip'), 'invalid_compression'],
    ['a gzip that ends too early', () => gzipSync(bytesOf(manifest())).subarray(0, -9), 'invalid_compression'],
    ['a broken gzip of invalid JSON', () => gzipSync(Buffer.from('{"a"}')).subarray(0, -9), 'invalid_compression'],
    ['a gzip of invalid JSON', () => gzipSync(Buffer.from('{"a"}')), 'invalid_json'],
    ['no UTF-8', () => Buffer.from([...Buffer.from('{"manifest":{"docs":{"d":"'), 0xc3, ...Buffer.from('"}}}')]), ''],
  ])('is %s, as the direct route does', async (_, make, code) => {
    const bytes = make();
    const encoding = code === '' ? {} : { content_encoding: 'gzip' };
    const uploaded = await upload(bytes, { kind: 'dbt_manifest', ...encoding });
    const headers = code === '' ? {} : { 'content-encoding': 'gzip' };
    const sent = await answer(direct, '/v1/lineage/dbt/manifest', { body: bytes, headers });
    expect([uploaded.status, uploaded.json.detail.code]).toEqual([sent.status, sent.json.detail.code]);
    expect(sent.json.detail.code).toBe(code || 'invalid_json');
  });

  it('is gzip that inflates beyond the limit', async () => {
    const bytes = gzipSync(Buffer.alloc(limits.declared.bodyBytes + 1, ' '), { level: 1 });
    const { status, json } = await upload(bytes, { kind: 'dbt_manifest', content_encoding: 'gzip' });
    expect([status, json.detail.code]).toEqual([413, 'body_too_large']);
  });

  it('is a document of another workspace', async () => {
    const other = await upload(bytesOf({ ...manifest(), workspace_id: 'other' }), { kind: 'dbt_manifest' });
    expect(other.json.detail).toMatchObject({ code: 'validation_error', errors: [{ path: '/workspace_id' }] });
  });

  it('is bytes that are not there, or not those announced (C-UPLOAD-2)', async () => {
    const bytes = bytesOf(event());
    const { json: ticket } = await announce(bytes, small);
    expect((await complete(ticket.upload_id)).json.detail.code).toBe('conflict');
    // Storage itself refuses other bytes than the signed ones; the service does not rely on it.
    const store = ({ upload_id }: UploadTicket, other: Uint8Array) =>
      putObject(rawBucket(), `uploads/${workspace}/${upload_id}`, other, { type: 'application/json' });
    await store(ticket, Buffer.from(bytes).fill(' ', 0, 1));
    const refused = (path: string) => ({ code: 'validation_error', errors: [{ path }] });
    expect((await complete(ticket.upload_id)).json.detail).toMatchObject(refused('/sha256'));
    // An emulator takes other bytes by the signed URL too.
    const { json: signed } = await announce(bytes, small);
    expect((await put(signed, Buffer.from(bytes).fill(' ', 0, 1))).status).toBe(200);
    expect((await complete(signed.upload_id)).json.detail).toMatchObject(refused('/sha256'));
    const { json: zipped } = await announce(bytes, { kind: 'dbt_manifest', content_encoding: 'gzip' });
    await store(zipped, Buffer.concat([bytes, bytes]));
    expect((await complete(zipped.upload_id)).json.detail).toMatchObject(refused('/content_length'));
  });

  it('is an upload of another workspace, one that never was, and one whose time is over (C-UPLOAD-3)', async () => {
    const bytes = bytesOf(event());
    const { json: ticket } = await announce(bytes, small);
    await put(ticket, bytes);
    const elsewhere = (await world.workspace(`uploads-${built++}`)).id;
    expect((await complete(ticket.upload_id, elsewhere)).json.detail.code).toBe('workspace_token_mismatch');
    expect((await complete('0190a0e2-0000-4000-8000-000000000000')).json.detail.code).toBe('not_found');
    now = () => new Date(Date.now() + limits.upload.completeWithin * 1_000);
    token = (await world.token(workspace, `uploads-${built - 2}-editor`, ['write'], now())).token;
    expect((await complete(ticket.upload_id)).json.detail.code).toBe('not_found');
  });

  it('is a caller without the scope or the role of the direct route (C-INGEST-12)', async () => {
    token = (await world.token(workspace, `uploads-${built - 1}-editor`, ['read'])).token;
    expect((await announce(bytesOf({}), small)).json.detail.code).toBe('insufficient_scope');
    token = await world.issuer.sign(`uploads-${built - 1}-viewer`);
    expect((await announce(bytesOf({}), small)).json.detail.code).toBe('insufficient_workspace_role');
  });
});
