import { expect, it } from 'vitest';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Dataset = { readonly namespace: string; readonly name: string; readonly facets?: object };
let runs = 0;
const run = (inputs: readonly Dataset[], outputs: readonly Dataset[], at?: string) => ({
  ...runEvent('', [], [], { job: `parts-${runs++}`, ...(at && { at }) }),
  inputs,
  outputs,
});
const lake = (name: string) => ({ namespace: 's3://lake', name });
const table = ({ namespace }: LineagePlace, name: string) => ({ namespace, name });

const readersOf = async (place: LineagePlace, relation_ref: string) => {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref, direction: 'downstream' });
  return json.downstream.map((one: { relation_ref: string }) => one.relation_ref);
};

it('leads from a path to what reads a partition of it, and names the partition as evidence (C-IDENTITY-19)', async () => {
  const place = await world.place();
  await place.emit(run([table(place, 'crm.core.a')], [lake('orders')]));
  await place.emit(run([lake('orders/day=2026-11-27')], [table(place, 'crm.core.z')]));
  expect(await readersOf(place, 'crm.core.a')).toEqual(['s3://lake/orders', 'crm.core.z']);
  const ends = { upstream: 's3://lake/orders', downstream: 'crm.core.z' };
  const { json } = await place.ask('/v1/lineage/edges/explain', ends);
  expect(json.evidence.map((one: { parts: string[] }) => one.parts)).toEqual([['s3://lake/orders/day=2026-11-27']]);
  const asked = await place.ask('/v1/lineage/relation', { relation_ref: 's3://lake/orders/day=2026-11-26' });
  expect(asked.json).toMatchObject({ relation_ref: 's3://lake/orders', downstream_count: 1 });
});

it('meets the tables of a day and the wildcard that a dbt project declares (C-IDENTITY-19)', async () => {
  const place = await world.place({ kind: 'bigquery', namespaces: ['bigquery'] });
  const base = { resource_type: 'model', name: 'base', database: 'proj', schema: 'dw', alias: 'base' };
  const manifest = {
    metadata: { adapter_type: 'bigquery', project_name: 'crm' },
    nodes: {
      'model.crm.base': {
        ...base,
        compiled_code: 'select event_name from `proj`.`ga4`.`events_*`',
        depends_on: { nodes: ['source.crm.ga4.events'] },
      },
    },
    sources: {
      'source.crm.ga4.events': { resource_type: 'source', database: 'proj', schema: 'ga4', identifier: 'events_*' },
    },
  };
  await place.declare('/v1/lineage/dbt/manifest', { manifest, completeness: 'partial' });
  await place.emit(run([table(place, 'proj.land.x')], [table(place, 'proj.ga4.events_20261127')]));
  await place.emit(run([table(place, 'proj.land.y')], [table(place, 'proj.dw.base$20261127')]));
  expect(await readersOf(place, 'proj.land.x')).toEqual(['proj.ga4.events_*', 'proj.dw.base']);
  expect(await readersOf(place, 'proj.land.y')).toEqual(['proj.dw.base']);
});

it('keeps parts apart if the connector wants that (C-IDENTITY-19)', async () => {
  const place = await world.place({ kind: 'bigquery', namespaces: ['bigquery'] });
  await updateConnector(world.operator, place.workspace, place.connector.id, { parts: 'apart' });
  await place.emit(run([table(place, 'proj.land.y')], [table(place, 'proj.dw.base$20261127')]));
  expect(await readersOf(place, 'proj.land.y')).toEqual(['proj.dw.base$20261127']);
});

it('goes on with the whole if a part is dropped or renamed (C-IDENTITY-19)', async () => {
  const place = await world.place();
  await place.emit(run([table(place, 'crm.core.a')], [lake('orders')]));
  const ended = (change: object) => ({
    facets: {
      lifecycleStateChange: {
        _producer: 'https://example.com/test',
        _schemaURL: 'https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json',
        ...change,
      },
    },
  });
  const dropped = { ...lake('orders/day=2026-11-26'), ...ended({ lifecycleStateChange: 'DROP' }) };
  const previousIdentifier = { namespace: 's3://lake', name: 'orders/day=2026-11-27' };
  const renamed = { ...lake('elsewhere'), ...ended({ lifecycleStateChange: 'RENAME', previousIdentifier }) };
  await place.emit(run([], [dropped]));
  await place.emit(run([], [renamed]));
  expect(await readersOf(place, 'crm.core.a')).toEqual(['s3://lake/orders']);
});
