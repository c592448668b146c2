import { describe, expect, it } from 'vitest';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** What became of events that were sent together. */
async function deliveryOf(place: LineagePlace, events: object): Promise<LineageDelivery> {
  const { status, json } = await place.emit(events);
  expect(status, JSON.stringify(json)).toBe(202);
  return place.receipt(json.delivery_id);
}

describe('events that have no effect', () => {
  it('are ignored as too old where observations of their time do not count any more (C-DELIVERY-14)', async () => {
    const place = await world.place();
    const run = (to: string, days: number) =>
      runEvent(place.namespace, ['crm.raw.a'], [`crm.core.${to}`], { at: daysAgo(days) });
    const { ignored, state } = await deliveryOf(place, [run('old', 91), run('older', 400), run('new', 89)]);
    expect([state, ignored]).toEqual([
      'projected',
      [{ reason: 'too_old', count: 2, advice: expect.stringContaining('observed_retention_days') }],
    ]);
    const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.raw.a' });
    expect(json.downstream).toMatchObject([{ relation_ref: 'crm.core.new' }]);
  });

  it('are not ignored if a newer event of their run comes with them (C-DELIVERY-14)', async () => {
    const place = await world.place();
    const complete = runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']);
    const start = { ...complete, eventType: 'START', eventTime: daysAgo(100) };
    expect((await deliveryOf(place, [start, complete])).ignored).toEqual([]);
  });

  it('are ignored as overtaken if a newer one of the same job holds, and not when they are worked again (C-DELIVERY-14)', async () => {
    const place = await world.place();
    const { run: _, eventType: __, ...job } = runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']);
    const at = (days: number) => ({
      ...job,
      schemaURL: job.schemaURL.replace('RunEvent', 'JobEvent'),
      eventTime: daysAgo(days),
    });
    expect((await deliveryOf(place, [at(3), at(2)])).ignored).toEqual([]);
    expect((await deliveryOf(place, [at(5), at(4)])).ignored).toMatchObject([{ reason: 'overtaken', count: 2 }]);
    expect((await deliveryOf(place, [at(1)])).ignored).toEqual([]);
  });
});

describe('a dbt project with an ephemeral model', () => {
  it('leaves nothing unresolved, and its readers depend on what the model reads (C-DBT-2, C-DELIVERY-13)', async () => {
    const place = await world.place();
    const model = (name: string, compiled_code: string, nodes: string[], materialized: string) => ({
      resource_type: 'model',
      database: 'crm',
      schema: 'core',
      name,
      alias: name,
      compiled_code,
      config: { materialized },
      depends_on: { nodes },
    });
    const inlined = 'with __dbt__cte__e as (select id from crm.raw.a) select id from __dbt__cte__e';
    const manifest = {
      metadata: { adapter_type: 'postgres', project_name: 'crm' },
      nodes: {
        'model.crm.e': model('e', 'select id from crm.raw.a', ['source.crm.raw.a'], 'ephemeral'),
        'model.crm.t': model('t', inlined, ['model.crm.e'], 'table'),
        'model.crm.py': { ...model('py', '', ['model.crm.t'], 'table'), language: 'python' },
      },
      sources: { 'source.crm.raw.a': { resource_type: 'source', database: 'crm', schema: 'raw', name: 'a' } },
    };
    const { json } = await place.declare('/v1/lineage/dbt/manifest', {
      manifest,
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: 'first',
    });
    expect(json.accepted, JSON.stringify(json)).toBe(true);
    const delivery = await place.receipt(json.delivery_id);
    expect(delivery.unresolved).toMatchObject([{ reason: 'non_sql_model', count: 1, assets: ['model.crm.py'] }]);
    const { json: impact } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.raw.a', column_ref: 'id' });
    expect(impact.downstream[0]).toMatchObject({ relation_ref: 'crm.core.t', columns: ['id'] });
  });
});

describe('namespaces that no connector owns', () => {
  it('are named, with whether all datasets are in one (C-DELIVERY-15)', async () => {
    const place = await world.place();
    const nobodys = ['postgres://one.test:5432', 'postgres://two.test:5432'] as const;
    const [one, two] = nobodys.map((namespace) => runEvent(namespace, ['d.s.a', 'd.s.c'], ['d.s.b']));
    const alone = await deliveryOf(place, [one, two]);
    expect(alone.only_unowned).toBe(true);
    expect(alone.unresolved).toEqual([
      {
        reason: 'unowned_namespace',
        count: 6,
        assets: nobodys,
        assets_left_out: 0,
        resolved: false,
        advice: expect.stringContaining('--add-namespace'),
      },
    ]);
    const owned = runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']);
    expect(await deliveryOf(place, [{ ...one, run: owned.run }, owned])).toMatchObject({
      only_unowned: false,
      unresolved: [{ count: 3, assets: [nobodys[0]] }],
    });
    // A file is nobody's, and in the graph all the same.
    expect((await deliveryOf(place, runEvent('s3://bucket', ['a'], ['b']))).only_unowned).toBe(false);
  });
});
