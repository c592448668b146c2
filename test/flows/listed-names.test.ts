import { describe, expect, it } from 'vitest';
import { relationImplementations } from '../../functions/queries/impact.ts';
import { sweepTasks } from '../../functions/sweep/tasks.ts';
import { metering } from '../../shared/adapters/dynamodb/requests/metered.ts';
import { overviewRoutes } from '../../shared/contract/overview.ts';
import { relationRoutes } from '../../shared/contract/relations.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Query = Readonly<Record<string, string>>;
type Item = { readonly relation_ref: string; readonly columns?: readonly string[] };

/** Searches of a process that has read no list yet. */
function newSearches({ workspace, tokens }: LineagePlace) {
  const routes = { ...relationRoutes, ...overviewRoutes };
  const respond = responder(routes, relationImplementations(queriesPorts()), httpPorts());
  const page = async (q: string, query: Query = {}) => {
    const asked = { query: { workspace_id: workspace, q, ...query }, token: tokens.viewer };
    const { status, body } = await respond(request('GET', '/v1/lineage/relations', asked));
    expect(status, String(body)).toBe(200);
    return JSON.parse(String(body));
  };
  const items = async (q: string, query: Query = {}): Promise<Item[]> => {
    const found: Item[] = [];
    let cursor: string | null = null;
    do {
      const one: Awaited<ReturnType<typeof page>> = await page(q, { ...query, ...(cursor !== null && { cursor }) });
      found.push(...one.items);
      cursor = one.next_cursor;
    } while (cursor !== null);
    return found;
  };
  return {
    page,
    refs: async (q: string, query?: Query) => (await items(q, query)).map(({ relation_ref }) => relation_ref),
    columns: async (q: string, query: Query = {}) =>
      (await items(q, { in: 'columns', ...query })).map(({ relation_ref, columns = [] }) => [relation_ref, ...columns]),
    units: async (q: string, query: Query = {}) => (await metering(() => page(q, query))).cost.read_units,
  };
}

const listNames = () => sweepTasks(sweepPorts()).names({ now: new Date(), hourly: true, timeIsUp: () => false });

const mapping = (from: string, ...columns: readonly string[]) => ({
  columns: Object.fromEntries(columns.map((name) => [name, [[from, name] as const]])),
});

/** A shop whose names the sweep has listed. */
async function listedShop(): Promise<LineagePlace> {
  const place = await world.place();
  const { namespace } = place;
  const [payments, refunds] = ['crm.raw.payments', 'crm.mart.fct_net_refunds'];
  await place.emit(runEvent(namespace, [payments], [refunds], mapping(payments, 'amount', 'total_net_refunds')));
  await place.emit(runEvent(namespace, [refunds], ['crm.mart.repayments'], mapping(refunds, 'refunded')));
  await listNames();
  return place;
}

describe('a search of a workspace whose names the sweep has listed (C-RELATION-7)', () => {
  it('finds names that contain a word or are one typo away from it, after those that begin with it', async () => {
    const place = await listedShop();
    const { refs, page } = newSearches(place);
    expect(await refs('paymnts')).toEqual(['crm.raw.payments']);
    expect(await refs('payments')).toEqual(['crm.raw.payments', 'crm.mart.repayments']);
    expect(await refs('payments', { limit: '1' })).toEqual(['crm.raw.payments', 'crm.mart.repayments']);
    expect(await refs('mart efund')).toEqual(['crm.mart.fct_net_refunds']);
    expect(await refs('net_refnuds')).toEqual(['crm.mart.fct_net_refunds']);
    expect(await refs('ym')).toEqual([]);
    expect(await page('zebra')).toMatchObject({ items: [], next_cursor: null, candidates: [] });
    expect(await page('paymnts')).not.toHaveProperty('candidates');
  });

  it('finds columns the same way, page after page, each column of a relation once', async () => {
    const { columns } = newSearches(await listedShop());
    expect(await columns('net_refunds')).toEqual([
      ['crm.mart.fct_net_refunds', 'total_net_refunds'],
      ['crm.raw.payments', 'total_net_refunds'],
    ]);
    const both = ['crm.mart.fct_net_refunds', 'crm.raw.payments'];
    expect(await columns('amuont')).toEqual(both.map((ref) => [ref, 'amount']));
    expect(await columns('raw amuont')).toEqual([['crm.raw.payments', 'amount']]);
    const refunds = [
      ['crm.mart.fct_net_refunds', 'refunded', 'total_net_refunds'],
      ['crm.mart.repayments', 'refunded'],
      ['crm.raw.payments', 'total_net_refunds'],
    ];
    expect(await columns('refund')).toEqual(refunds);
    for (const limit of ['1', '2', '3'])
      expect(
        (await columns('refund', { limit })).flatMap(([ref, ...own]) => own.map((one) => [ref, one])).toSorted(),
      ).toEqual(refunds.flatMap(([ref, ...own]) => own.map((one) => [ref, one])));
  });

  it('finds no name that left the graph since, and none of another workspace or connector', async () => {
    const place = await listedShop();
    const other = await world.place();
    const lake = await createConnector(world.operator, place.workspace, {
      name: 'lake',
      kind: 'postgres',
      namespaces: ['postgres://lake:5432'],
    });
    const manifest = (source: string) => ({
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: source,
      manifest: {
        metadata: { project_id: 'crm', adapter_type: 'postgres', generated_at: '2026-11-20T10:00:00Z' },
        nodes: {
          'model.crm.kept': {
            resource_type: 'model',
            database: 'crm',
            schema: 'mart',
            alias: 'kept',
            original_file_path: 'models/kept.sql',
            compiled_code: null,
            depends_on: { nodes: ['source.crm.one'] },
          },
        },
        sources: { 'source.crm.one': { database: 'crm', schema: 'core', identifier: source } },
      },
    });
    await place.declare('/v1/lineage/dbt/manifest', manifest('llama_old'));
    await listNames();
    expect(await newSearches(place).refs('lama_old')).toEqual(['crm.core.llama_old']);
    await place.declare('/v1/lineage/dbt/manifest', manifest('llama_new'));
    const { refs, columns } = newSearches(place);
    expect(await refs('lama_old')).toEqual([]);
    expect(await newSearches(other).refs('paymnts')).toEqual([]);
    expect(await newSearches(other).columns('net_refunds')).toEqual([]);
    expect([await refs('paymnts', { connector_id: lake.record.id }), await refs('paymnts')]).toEqual([
      [],
      ['crm.raw.payments'],
    ]);
    expect(await columns('net_refunds', { connector_id: lake.record.id })).toEqual([]);
  });

  it('reads no more units than before for a page that is full or empty, and for a name no more than by its beginning', async () => {
    const place = await world.place();
    const names = Array.from({ length: 30 }, (_, n) => `crm.core.many_${n}`);
    for (const name of names)
      await place.emit(runEvent(place.namespace, [name], ['crm.mart.payments'], mapping(name, 'shared_key')));
    const searches = [
      ['many', { limit: '20' }],
      ['zebra', {}],
      ['shared', { in: 'columns', limit: '20' }],
      ['zebra', { in: 'columns' }],
    ] as const;
    const unitsOf = async () => {
      const { units } = newSearches(place);
      const used: number[] = [];
      for (const [q, query] of searches) used.push(await units(q, query));
      return used;
    };
    const before = await unitsOf();
    await listNames();
    expect(await unitsOf()).toEqual(before);
    const { units } = newSearches(place);
    expect(await units('paymnts')).toBeLessThanOrEqual(await units('payments'));
    const inColumns = { in: 'columns' };
    expect(await units('red_key', inColumns)).toBeLessThanOrEqual(await units('shared_key', inColumns));
  });
});
