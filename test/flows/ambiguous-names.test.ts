import { describe, expect, it } from 'vitest';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

/** A workspace whose connectors `warehouse` and `replica` both know `crm.core.orders`, each with other readers. */
async function twoConnectors() {
  const place = await world.place();
  const namespace = `${place.namespace}1`;
  const { record: replica } = await createConnector(world.operator, place.workspace, {
    name: 'replica',
    kind: 'postgres',
    namespaces: [namespace],
  });
  await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.mart.revenue']));
  await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.mart.only_here']));
  await place.emit(runEvent(namespace, ['crm.core.orders'], ['crm.mart.revenue']));
  return { place, replica };
}
const both = provideForEach(twoConnectors);

const ask = (place: LineagePlace, path: string, query: Record<string, string>) =>
  place.ask(path, {}, { query: { workspace_id: place.workspace, ...query } });
const relation = (query: Record<string, string>) => ask(both.place, '/v1/lineage/relation', query);
const explain = (query: Record<string, string>) => ask(both.place, '/v1/lineage/edges/explain', query);

describe('a name that several connectors know', () => {
  it('is answered with each connector and its counts, and resolved once one is chosen (C-IDENTITY-16)', async () => {
    const { connector } = both.place;
    const { status, json } = await relation({ relation_ref: 'core.orders' });
    expect([status, json.detail.code]).toEqual([409, 'ambiguous_relation']);
    const same = { relation_ref: 'crm.core.orders', upstream_count: 0 };
    expect(json.detail.candidates).toEqual([
      { ...same, connector_id: both.replica.id, connector_name: 'replica', downstream_count: 1 },
      { ...same, connector_id: connector.id, connector_name: 'warehouse', downstream_count: 2 },
    ]);
    expect(json.detail.hint).toContain(`warehouse (${connector.id}): crm.core.orders, 0 upstream, 2 downstream`);
    const chosen = await relation({ relation_ref: 'core.orders', connector_id: both.replica.id });
    expect(chosen.json).toMatchObject({ connector_id: both.replica.id, downstream_count: 1 });
  });

  it('is no other name: one that one connector knows needs none, one that none knows is not found (C-IDENTITY-16)', async () => {
    expect((await relation({ relation_ref: 'mart.only_here' })).json).toMatchObject({
      relation_ref: 'crm.mart.only_here',
      connector_id: both.place.connector.id,
    });
    const { status, json } = await relation({ relation_ref: 'mart.only_her' });
    expect([status, json.detail.code]).toEqual([404, 'not_found']);
    expect(json.detail.hint).toContain('crm.mart.only_here');
  });

  it('is ambiguous within one connector if several of its relations have the name (C-IDENTITY-16)', async () => {
    const { namespace } = both.place;
    await both.place.emit(runEvent(namespace, ['crm.a.customers'], ['crm.b.customers']));
    await both.place.emit(runEvent(`${namespace}1`, ['crm.c.customers'], ['crm.c.copy']));
    const { json } = await relation({ relation_ref: 'customers' });
    const named = json.detail.candidates.map((one: { relation_ref: string }) => one.relation_ref);
    expect(named).toEqual(['crm.c.customers', 'crm.a.customers', 'crm.b.customers']);
  });

  it('makes an edge ambiguous that several connectors have, and no other (C-IDENTITY-16)', async () => {
    const revenue = { upstream: 'core.orders', downstream: 'mart.revenue' };
    const { status, json } = await explain(revenue);
    expect([status, json.detail.code, json.detail.candidates.length]).toEqual([409, 'ambiguous_relation', 4]);
    const chosen = await explain({ ...revenue, connector_id: both.replica.id });
    expect(chosen.json).toMatchObject({ found: true, connector_id: both.replica.id });
    const only = await explain({ ...revenue, downstream: 'mart.only_here' });
    expect(only.json).toMatchObject({ found: true, connector_id: both.place.connector.id });
  });

  it('makes an edge ambiguous that a third connector asks about (C-IDENTITY-16)', async () => {
    const { record: third } = await createConnector(world.operator, both.place.workspace, {
      name: 'third',
      kind: 'postgres',
      namespaces: [],
    });
    const query = { upstream: 'crm.core.orders', downstream: 'crm.mart.revenue', connector_id: third.id };
    expect((await explain(query)).json.detail.code).toBe('ambiguous_relation');
  });

  it('has its connector in the answer about impact, at the root and at each item (C-IDENTITY-16)', async () => {
    const query = { relation_ref: 'crm.core.orders', connector_id: both.replica.id };
    const { json } = await ask(both.place, '/v1/lineage/impact', query);
    expect(json.root).toEqual({ relation_ref: 'crm.core.orders', connector_id: both.replica.id });
    expect(json.downstream).toMatchObject([{ relation_ref: 'crm.mart.revenue', connector_id: both.replica.id }]);
    const { status } = await ask(both.place, '/v1/lineage/impact', { relation_ref: 'crm.core.orders' });
    expect(status).toBe(422);
  });

  it('is no name of another workspace (C-IDENTITY-16)', async () => {
    const other = await world.place();
    await other.emit(runEvent(other.namespace, ['crm.core.orders'], ['crm.mart.elsewhere']));
    const { json } = await ask(other, '/v1/lineage/relation', { relation_ref: 'core.orders' });
    expect(json).toMatchObject({ connector_id: other.connector.id, downstream_count: 1 });
  });
});
