import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const take = (change?: Parameters<typeof shopManifest>[0]) =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(change),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
const changes = async (query = {}) => (await place.ask('/v1/lineage/changes', query)).json;

describe('the history of a connector (C-HISTORY-1)', () => {
  it('has a change of each complete document that states something else, with the columns that went', async () => {
    expect((await changes()).items).toEqual([]);
    await take();
    await take();
    await take((nodes) => inSql(nodes, 'stg_orders', ', note', ''));
    const { items, since } = await changes();
    expect(items).toMatchObject([
      { kind: 'dbt_manifest', columns_removed: 0 },
      { kind: 'dbt_manifest', relations: 1, columns_removed: 1 },
    ]);
    expect(items[0].relations).toBeGreaterThan(3);
    expect(items[0].at < items[1].at).toBe(true);
    const compared = { from: new Date(Date.parse(items[1].at) - 1).toISOString(), to: items[1].at };
    const { json } = await place.ask('/v1/lineage/diff', compared);
    expect(json.relations.map((one: { relation_ref: string }) => one.relation_ref)).toEqual(['crm.core.stg_orders']);
    expect(Math.round((Date.now() - Date.parse(since)) / 86_400_000)).toBe(30);
  });

  it('counts all columns of a relation that is gone', async () => {
    await take();
    await take((nodes) => {
      Object.assign(nodes['model.shop.customers'] ?? {}, { alias: 'clients', relation_name: null });
    });
    const [, last] = (await changes()).items;
    expect(last.columns_removed).toBeGreaterThan(0);
  });

  it('is of one workspace and connector, and of readers', async () => {
    await take();
    const other = await world.place();
    expect((await other.ask('/v1/lineage/changes', {})).json.items).toEqual([]);
    expect((await place.ask('/v1/lineage/changes', { connector_id: other.connector.id })).status).toBe(404);
    expect((await place.ask('/v1/lineage/changes', { days: '91' })).status).toBe(422);
  });
});
