import { describe, expect, it, vi } from 'vitest';
import type { DeliveryId } from '../../shared/contract/ids.ts';
import { findDelivery, showDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const event = (place: LineagePlace, from = 'crm.core.a', to = 'crm.core.b') => runEvent(place.namespace, [from], [to]);
const shown = async ({ workspace }: LineagePlace, id: string) => {
  const ports = queriesPorts();
  return showDelivery(ports, await findDelivery(ports, workspace, id));
};
/** Sends the text of a batch, and tells what became of it. */
async function batch(place: LineagePlace, events: readonly object[], written = (text: string) => text) {
  const body = written(JSON.stringify(events));
  const query = { workspace_id: place.workspace, connector_id: place.connector.id };
  const { status, json } = await place.deliver('/api/v1/lineage/batch', { body, query });
  expect(status, JSON.stringify(json)).toBe(202);
  return shown(place, json.delivery_id);
}
const upstreamOf = async (place: LineagePlace, relation_ref: string) =>
  (await place.ask('/v1/lineage/impact', { relation_ref, direction: 'upstream' })).json.upstream.map(
    (item: { relation_ref: string }) => item.relation_ref,
  );

type Event = ReturnType<typeof runEvent>;
const name = (one: { name: string } | undefined, text: string) => Object.assign(one ?? {}, { name: text });
const spoiled: Readonly<Record<string, (event: Event, text: string) => void>> = {
  'a job’s name': (one, text) => name(one.job, text),
  'a job’s namespace': (one, text) => Object.assign(one.job, { namespace: text }),
  'an input’s name': (one, text) => name(one.inputs[0], text),
  'an output’s namespace': (one, text) => Object.assign(one.outputs[0] ?? {}, { namespace: text }),
};

describe('an item that cannot be a name (C-OPENLINEAGE-7)', () => {
  it.each(Object.keys(spoiled))('is quarantined by itself where %s is', async (where) => {
    const place = await world.place();
    for (const [text, code] of [
      ['UNPAIRED', 'invalid_unicode'],
      ['x\0y', 'invalid_unicode'],
      ['', 'invalid_event'],
      [' \t', 'invalid_event'],
    ] as const) {
      const [good, bad] = [event(place), event(place, 'crm.core.c', 'crm.core.d')];
      spoiled[where]?.(bad, text);
      const delivery = await batch(place, [good, bad], (body) => body.replaceAll('UNPAIRED', 'x\\ud800'));
      expect(delivery.state).toBe('partially_projected');
      expect(delivery.quarantined).toMatchObject([{ index: 1, code }]);
    }
    expect(await upstreamOf(place, 'crm.core.b')).toEqual(['crm.core.a']);
  });

  it('is found in facets that name datasets and columns, and nowhere else (C-INGEST-15)', async () => {
    const place = await world.place();
    const facet = { _producer: 'https://e.test', _schemaURL: 'https://e.test/s.json' };
    const inFacet = (key: string, body: object) => {
      const one = event(place);
      Object.assign(one.outputs[0] ?? {}, { facets: { [key]: { ...facet, ...body } } });
      return one;
    };
    const identifiers = [{ namespace: 'n', name: 'UNPAIRED', type: 'TABLE' }];
    const fields = { UNPAIRED: { inputFields: [{ namespace: place.namespace, name: 'crm.core.a', field: 'x' }] } };
    const events = [
      inFacet('symlinks', { identifiers }),
      inFacet('columnLineage', { fields }),
      inFacet('documentation', { description: 'UNPAIRED' }),
    ];
    const delivery = await batch(place, events, (body) => body.replaceAll('UNPAIRED', '\\udfff'));
    expect(delivery.quarantined).toMatchObject([
      { index: 0, code: 'invalid_unicode' },
      { index: 1, code: 'invalid_unicode' },
    ]);
  });

  it('refuses a field of a request at its place (C-INGEST-15)', async () => {
    const place = await world.place();
    const text = '{"export":[],"import_source":"\\ud800","workspace_id":"W","connector_id":"C"}';
    const body = text.replace('W', place.workspace).replace('C', place.connector.id);
    const { status, json } = await place.deliver('/v1/lineage/datahub', { body });
    expect([status, json.detail.code, json.detail.errors[0].path]).toEqual([422, 'validation_error', '/import_source']);
  });

  it('is refused in a complete document and quarantined in one in part', async () => {
    const place = await world.place();
    const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
    const entries = ['good', 'bad\ud800'].map((table) => ({ upstreamUrn: urn(table), downstreamUrn: urn('z') }));
    const sent = (extra: object) =>
      place.declare('/v1/lineage/datahub', { export: entries, import_source: 's', source_event_key: 'k', ...extra });
    const complete = await sent({ completeness: 'complete' });
    expect([complete.status, complete.json.detail.code]).toEqual([422, 'lineage_snapshot_invalid']);
    const delivery = await shown(place, (await sent({})).json.delivery_id);
    expect(delivery).toMatchObject({
      state: 'partially_projected',
      quarantined: [{ index: 1, code: 'invalid_unicode' }],
    });
    expect(await upstreamOf(place, 'crm.core.z')).toEqual(['crm.core.good']);
  });
});

describe('the time of an event (C-OPENLINEAGE-9)', () => {
  it('is that of the receipt if it lies ahead, and quarantines the event where it lies a day ahead', async () => {
    const place = await world.place();
    const ahead = (hours: number) => ({ eventTime: new Date(Date.now() + hours * 3_600_000).toISOString() });
    const delivery = await batch(place, [
      { ...event(place), ...ahead(23) },
      { ...event(place, 'crm.core.x', 'crm.core.y'), ...ahead(25) },
    ]);
    expect(delivery.quarantined).toMatchObject([{ index: 1, code: 'event_time_in_future' }]);
    const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.core.b', direction: 'upstream' });
    expect(json.edges[0].evidence[0].observed_at).toBe(delivery.received_at);
  });
});

describe('a delivery', () => {
  const accepted = async (place: LineagePlace, events: readonly object[]) => {
    const processed = await batch(place, events);
    return { version: 1, workspace_id: place.workspace, delivery_id: processed.delivery_id as DeliveryId } as const;
  };

  /** Ports that find a delivery open though it was worked. */
  async function openAgain(place: LineagePlace, { delivery_id }: { readonly delivery_id: DeliveryId }) {
    const ports = projectorPorts();
    const stored = await ports.deliveries.get(place.workspace, delivery_id);
    const finish = vi.fn(async () => true);
    const deliveries = {
      ...ports.deliveries,
      get: async () => stored && { ...stored, state: 'accepted' as const },
      begin: async () => stored && { ...stored, state: 'processing' as const },
      finish,
    };
    return { ports: { ...ports, deliveries }, finish };
  }

  it('is worked only when summaries and checks of what it touched are up to date', async () => {
    const place = await world.place();
    const message = await accepted(place, [event(place)]);
    const { ports, finish } = await openAgain(place, message);
    const { promise, resolve } = Promise.withResolvers<void>();
    const onTouched = vi.fn(() => promise);
    let isOver = false;
    const work = projectDelivery({ ...ports, onTouched }, message, { receiveCount: 1 }).then(() => {
      isOver = true;
    });
    await vi.waitFor(() => expect(onTouched).toHaveBeenCalled());
    await new Promise((done) => setImmediate(done));
    expect([finish.mock.calls.length, isOver]).toEqual([1, false]);
    resolve();
    await work;
  });

  it('quarantines what its projection throws of one item, and projects the others (C-INGEST-14)', async () => {
    const place = await world.place();
    const message = await accepted(place, [event(place), event(place, 'crm.core.q', 'crm.core.r')]);
    const { ports, finish } = await openAgain(place, message);
    const observe = async (...[workspace, one]: Parameters<typeof ports.claims.observe>) => {
      if (one.edges.length > 0 && JSON.stringify(one.edges).includes('crm.core.r')) throw new TypeError('of the item');
      return ports.claims.observe(workspace, one);
    };
    await projectDelivery({ ...ports, claims: { ...ports.claims, observe } }, message, { receiveCount: 1 });
    expect(finish).toHaveBeenCalledWith(
      expect.anything(),
      expect.anything(),
      expect.objectContaining({
        state: 'partially_projected',
        quarantined: [{ index: 1, code: 'projection_failed', message: '/1: cannot be projected' }],
      }),
    );
  });
});
