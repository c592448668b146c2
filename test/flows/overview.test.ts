import { describe, expect, it } from 'vitest';
import { countGraph } from '../../shared/domain/lineage/queries/count-graph.ts';
import { openGraph } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const overview = async (place: LineagePlace, query: Readonly<Record<string, string>> = {}) => {
  const { status, json } = await place.ask(
    '/v1/lineage/overview',
    {},
    { query: { workspace_id: place.workspace, ...query } },
  );
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};

/** A small warehouse: two raw tables, one staging view of both, one mart without columns, and a lake beside it. */
async function shop(): Promise<LineagePlace> {
  const place = await world.place();
  const columns = { total: [['crm.raw.orders', 'amount'] as const], id: [['crm.raw.orders', 'ID'] as const] };
  await place.emit(
    runEvent(place.namespace, ['crm.raw.orders', 'crm.raw.people'], ['crm.staging.stg_orders'], { columns }),
  );
  await place.emit(runEvent(place.namespace, ['crm.staging.stg_orders'], ['crm.finance.revenue']));
  await place.emit(runEvent('s3://lake', ['raw/events'], ['raw/daily']));
  return place;
}

describe('the graph in figures', () => {
  it('counts relations, columns, edges and the flows between schemas (C-OVERVIEW-1)', async () => {
    const place = await shop();
    const own = { relations: 4, columns: 4, edges: 3, edges_with_columns: 1 };
    expect(await overview(place, { connector_id: place.connector.id })).toEqual({
      ...{ workspace_id: place.workspace, connector_id: place.connector.id, truncated: false },
      ...own,
      schemas: [
        { schema: 'crm.raw', layer: 'sources', relations: 2 },
        { schema: 'crm.staging', layer: 'staging', relations: 1 },
        { schema: 'crm.finance', layer: 'marts', relations: 1 },
      ],
      flows: [
        { upstream: 0, downstream: 1, edges: 2 },
        { upstream: 1, downstream: 2, edges: 1 },
      ],
      cost: { read_units: expect.any(Number), requests: expect.any(Number) },
    });
    expect(await overview(place)).toMatchObject({ connector_id: null, relations: 6, columns: 4, edges: 4 });
  });

  it('counts nothing of an empty workspace, and no relation without an edge', async () => {
    const place = await shop();
    expect(await overview(await world.place())).toMatchObject({ relations: 0, edges: 0, schemas: [], flows: [] });
    await place.emit(runEvent(place.namespace, [], ['crm.raw.alone']));
    expect(await overview(place)).toMatchObject({ relations: 6 });
  });
});

it('says that it counted only a part of a graph with more relations than it may read (C-OVERVIEW-2)', async () => {
  const place = await shop();
  const reading = await openGraph(queriesPorts(), place.workspace, new Date());
  const counted = async (most: number) => (await countGraph(reading, place.workspace, null, most)).truncated;
  expect([await counted(1), await counted(100)]).toEqual([true, false]);
});

describe('the layer of a relation', () => {
  it('follows the rules of its connector, then the name of its schema (C-RELATION-5)', async () => {
    const place = await shop();
    const layer = async (relation_ref: string) =>
      (await place.ask('/v1/lineage/relation', { relation_ref })).json.layer;
    const all = ['crm.raw.orders', 'crm.staging.stg_orders', 'crm.finance.revenue'];
    expect(await Promise.all(all.map(layer))).toEqual(['sources', 'staging', 'marts']);
    const layers = [
      { schema: 'CRM.fin*', layer: 'reporting' as const },
      { schema: 'finance', layer: 'sources' as const },
      { schema: 'staging', layer: 'intermediate' as const },
    ];
    await updateConnector(world.operator, place.workspace, place.connector.id, { layers });
    expect(await Promise.all(all.map(layer))).toEqual(['sources', 'intermediate', 'reporting']);
    const { schemas } = await overview(place, { connector_id: place.connector.id });
    expect(schemas.map((one: { readonly layer: string }) => one.layer)).toEqual([
      'sources',
      'intermediate',
      'reporting',
    ]);
    const { json } = await place.ask('/v1/lineage/relations', { q: 'revenue' });
    expect(json.items[0].layer).toBe('reporting');
  });
});
