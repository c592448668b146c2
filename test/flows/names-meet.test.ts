import { expect, it } from 'vitest';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const urn = (platform: string, name: string) => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const entry = (upstream: string, downstream: string) => ({ upstreamUrn: upstream, downstreamUrn: downstream });
const written = (place: LineagePlace, output: { readonly namespace: string; readonly name: string }) => ({
  ...runEvent(place.namespace, ['crm.raw.x'], []),
  outputs: [output],
});
const reached = async (place: LineagePlace) => {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.raw.x', direction: 'downstream' });
  return json.downstream.map((one: { relation_ref: string }) => one.relation_ref);
};

it.each(['first', 'last'])(
  'joins an object of a store with its URN in DataHub, which comes %s (C-DATAHUB-8)',
  async (when) => {
    const place = await world.place();
    const entries = [
      entry(urn('s3', 'lake/orders'), urn('postgres', 'crm.s.orders')),
      entry(urn('gcs', 'lake/orders'), urn('postgres', 'crm.s.gcs')),
    ];
    const push = () => place.declare('/v1/lineage/datahub', { export: entries });
    if (when === 'first') await push();
    await place.emit(written(place, { namespace: 's3a://lake', name: 'orders/day=2026-11-27' }));
    if (when === 'last') await push();
    expect(await reached(place)).toEqual(['s3://lake/orders', 'crm.s.orders']);
  },
);

it('joins a topic with its URN in DataHub if a connector has claimed the cluster (C-DATAHUB-8)', async () => {
  const place = await world.place();
  const brokers = 'kafka://b1.test:9092,b2.test:9092';
  await createConnector(world.operator, place.workspace, { name: 'events', kind: 'other', namespaces: [brokers] });
  await place.declare('/v1/lineage/datahub', {
    export: [entry(urn('kafka', 'orders'), urn('postgres', 'crm.s.stream'))],
  });
  await place.emit(written(place, { namespace: 'kafka://b2.test,b1.test', name: 'orders' }));
  expect((await reached(place)).at(-1)).toBe('crm.s.stream');
});

it('says that a name is no relation of its platform, if a connector owns the namespace (C-IDENTITY-6)', async () => {
  const place = await world.place({ namespaces: ['postgres://named:5432'] });
  const { json } = await place.emit(runEvent('postgres://named:5432', ['a.b.c.d', 'crm..orders'], ['crm.raw.y']));
  const { unresolved } = await place.receipt(json.delivery_id);
  expect(unresolved).toMatchObject([
    {
      reason: 'name_is_no_relation_of_its_platform',
      count: 2,
      assets: ['postgres://named:5432/a.b.c.d', 'postgres://named:5432/crm..orders'],
    },
  ]);
});
