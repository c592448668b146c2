import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { setProviderStatus } from '../../shared/domain/lineage/providers/provider.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
const entries = [{ upstreamUrn: urn('a'), downstreamUrn: urn('b') }];

describe('a request that comes again', () => {
  it('is a duplicate if the repeated body spells out the defaults (C-INGEST-7)', async () => {
    const place = await world.place();
    const send = (extra: object) =>
      place.declare('/v1/lineage/datahub', { export: entries, source_event_key: 'key', ...extra });
    const first = await send({});
    for (const extra of [{ completeness: 'partial' }, { import_source: 'default' }])
      expect((await send(extra)).json).toMatchObject({ duplicate: true, delivery_id: first.json.delivery_id });
    expect((await send({ import_source: 'other' })).status).toBe(409);
  });

  it('is a duplicate without the key of the first delivery, until a complete snapshot (C-INGEST-7, C-INGEST-8)', async () => {
    const place = await world.place();
    const event = runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']);
    const emit = (headers = {}) =>
      place.deliver('/api/v1/lineage', {
        body: event,
        query: { workspace_id: place.workspace, connector_id: place.connector.id },
        headers,
      });
    const declare = (extra: object = {}) => place.declare('/v1/lineage/datahub', { export: entries, ...extra });
    for (const send of [
      (key?: string) => emit(key === undefined ? {} : { 'idempotency-key': key }),
      (key?: string) => declare(key === undefined ? {} : { source_event_key: key }),
    ]) {
      const [first, second] = [await send('one'), await send('two')];
      expect(second.json).toMatchObject({ duplicate: false });
      expect(second.json.delivery_id).not.toBe(first.json.delivery_id);
      expect((await send()).json).toMatchObject({ duplicate: true, delivery_id: first.json.delivery_id });
    }
    const snapshot = { completeness: 'complete', import_source: 'default', source_event_key: 'three' };
    expect((await declare(snapshot)).status).toBe(202);
    expect((await declare()).json).toMatchObject({ duplicate: false });
  });

  it('gets the first receipt also while its feed takes nothing in (C-INGEST-10)', async () => {
    const place = await world.place();
    const { workspace } = place;
    const ports = queriesPorts();
    const event = runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']);
    const declared = { export: entries, source_event_key: randomUUID() };
    for (const send of [
      (fresh = false) => place.emit(fresh ? runEvent(place.namespace, ['crm.core.c'], ['crm.core.d']) : event),
      (fresh = false) =>
        place.declare('/v1/lineage/datahub', fresh ? { ...declared, source_event_key: randomUUID() } : declared),
    ]) {
      const { json: first } = await send();
      const { provider_instance_id } = await findDelivery(ports, workspace, first.delivery_id);
      await setProviderStatus(ports, workspace, provider_instance_id, { status: 'paused', now: new Date() });
      const repeated = await send();
      expect([repeated.status, repeated.json.delivery_id, repeated.json.duplicate]).toEqual([
        202,
        first.delivery_id,
        true,
      ]);
      const { json: refused } = await send(true);
      expect(refused.skipped ?? refused.detail.code).toMatch(/paused/);
    }
  });
});

describe('a declared delivery that comes again', () => {
  const sends = (place: LineagePlace) => {
    const snapshot = (key: string, table = 'b', extra: object = {}) =>
      place.declare('/v1/lineage/datahub', {
        export: [{ upstreamUrn: urn('a'), downstreamUrn: urn(table) }],
        ...{ import_source: 'nightly', completeness: 'complete', source_event_key: key, ...extra },
      });
    const forget = async (scope_key: string) => {
      const body = { workspace_id: place.workspace, scope_key, dry_run: false };
      expect((await place.post('/v1/lineage/scopes/forget', body, { token: place.tokens.admin, body })).status).toBe(
        200,
      );
    };
    return { snapshot, forget };
  };

  it('says whether the first delivery is in effect, superseded or forgotten (C-INGEST-16)', async () => {
    const { snapshot, forget } = sends(await world.place());
    const { delivery_id, scope_key, duplicate_of } = (await snapshot('first')).json;
    expect(duplicate_of).toBeUndefined();
    const again = async () => (await snapshot('first')).json;
    expect(await again()).toMatchObject({ duplicate: true, duplicate_of: { delivery_id, state: 'in_effect' } });
    await snapshot('second', 'c');
    expect(await again()).toMatchObject({ duplicate_of: { delivery_id, state: 'superseded' } });
    await forget(scope_key);
    expect(await again()).toMatchObject({ duplicate_of: { delivery_id, state: 'forgotten' } });
    await snapshot('third', 'd');
    expect(await again()).toMatchObject({ duplicate_of: { delivery_id, state: 'superseded' } });
  });

  it('stands beside later partial deliveries, until a snapshot of its scope (C-INGEST-16)', async () => {
    const { snapshot } = sends(await world.place());
    const partial = (key: string, table: string) => snapshot(key, table, { completeness: 'partial' });
    const first = (await partial('first', 'b')).json;
    await partial('second', 'c');
    const again = async () => (await partial('first', 'b')).json.duplicate_of;
    expect(await again()).toEqual({ delivery_id: first.delivery_id, state: 'in_effect' });
    await snapshot('third', 'd');
    expect(await again()).toEqual({ delivery_id: first.delivery_id, state: 'superseded' });
  });

  it('under a key of another connector is a conflict of scope, whatever its content (C-INGEST-4)', async () => {
    const place = await world.place();
    const { record: other } = await createConnector(world.operator, place.workspace, {
      ...{ name: 'other', kind: 'postgres', namespaces: [] },
    });
    const { snapshot } = sends(place);
    expect((await snapshot('shared')).status).toBe(202);
    for (const table of ['b', 'c']) {
      const { status, json } = await snapshot('shared', table, { connector_id: other.id });
      expect([status, json.detail?.code]).toEqual([409, 'lineage_provider_scope_conflict']);
    }
  });
});

describe('an idempotency key (C-INGEST-5)', () => {
  it('is refused if the header Idempotency-Key is repeated', async () => {
    const place = await world.place();
    const body = runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']);
    const query = { workspace_id: place.workspace, connector_id: place.connector.id };
    const { status, json } = await place.deliver('/api/v1/lineage', {
      body,
      query,
      headers: { 'idempotency-key': 'one, two' },
    });
    expect([status, json.detail.errors]).toEqual([
      422,
      [{ path: '/headers/idempotency-key', message: 'must be given once' }],
    ]);
  });
});

describe('lengths', () => {
  it('count code points', async () => {
    const place = await world.place();
    const body = runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']);
    const query = (provider_key: string) => ({
      workspace_id: place.workspace,
      connector_id: place.connector.id,
      provider_key,
    });
    const sent = async (key: string) => (await place.deliver('/api/v1/lineage', { body, query: query(key) })).status;
    expect(await sent('😀'.repeat(500))).toBe(202);
    expect(await sent('😀'.repeat(501))).toBe(422);
  });
});
