import { describe, expect, it } from 'vitest';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Item = { readonly relation_ref: string } & Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;

const emit = (place: LineagePlace, from: readonly string[], to: string) =>
  place.emit(runEvent(place.namespace, from, [to]));

const own = ({ workspace, connector }: LineagePlace): Query => ({
  workspace_id: workspace,
  connector_id: connector.id,
});

/** Every relation that a search finds, page after page. */
async function found(place: LineagePlace, q: string, filters: Query = {}): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { ...own(place), q, ...filters, ...(cursor !== null && { cursor }) };
    const { status, json } = await place.ask('/v1/lineage/relations', {}, { query });
    expect(status, JSON.stringify(json)).toBe(200);
    items.push(...json.items);
    cursor = json.next_cursor;
  } while (cursor !== null);
  return items;
}
const refs = async (...request: Parameters<typeof found>) =>
  (await found(...request)).map(({ relation_ref }) => relation_ref);

describe('finding relations', () => {
  it('matches the beginnings of parts, all words, whatever their case (C-RELATION-1)', async () => {
    const place = await world.place();
    await emit(place, ['crm.core.zebra_orders'], 'crm.mart.stg_zebra');
    await emit(place, ['crm.mart.stg_zebra'], 'crm.mart.horses');
    const both = ['crm.core.zebra_orders', 'crm.mart.stg_zebra'];
    for (const q of ['zebra', 'ZEB', 'crm zebra', 'zebra crm'])
      expect((await refs(place, q)).toSorted(), q).toEqual(both);
    for (const q of ['zebra mart', 'stg_zebra', 'mart.stg', 'crm.mart.stg_zebra'])
      expect(await refs(place, q), q).toEqual(['crm.mart.stg_zebra']);
    expect((await found(place, 'CR', { limit: '3' })).map(({ relation_ref }) => relation_ref).toSorted()).toEqual(
      [...both, 'crm.mart.horses'].toSorted(),
    );
    const { json } = await place.ask('/v1/lineage/relations', { q: 'crm', limit: '3' });
    expect([json.items.length, json.next_cursor]).toEqual([3, null]);
    for (const q of ['ebra', 'zebra horses', 'crm.stg']) expect(await refs(place, q), q).toEqual([]);
    expect((await refs(place, '')).toSorted()).toEqual([...both, 'crm.mart.horses'].toSorted());
  });

  it('puts exact names first, then the most connected, then names in their order (C-RELATION-2)', async () => {
    const place = await world.place();
    for (const [n, reader] of ['a', 'b', 'c'].entries()) {
      await emit(place, ['crm.core.orders_hub'], `crm.mart.${reader}`);
      if (n < 2) await emit(place, ['crm.core.orders_b', 'crm.core.orders_a'], `crm.mart.${reader}`);
    }
    await emit(place, ['crm.core.orders'], 'crm.mart.a');
    const ordered = ['crm.core.orders', 'crm.core.orders_hub', 'crm.core.orders_a', 'crm.core.orders_b'];
    expect(await refs(place, 'orders')).toEqual(ordered);
    for (const limit of ['1', '2', '3']) expect(await refs(place, 'ORDERS', { limit })).toEqual(ordered);
  });

  it('counts neighbours and columns, and tells when the relation was last observed', async () => {
    const place = await world.place();
    const at = '2026-11-20T10:00:00.000Z';
    const columns = { total: [['crm.core.sales', 'amount'] as const] };
    await place.emit(runEvent(place.namespace, ['crm.core.sales'], ['crm.mart.totals'], { columns, at }));
    await place.emit(runEvent(place.namespace, ['crm.core.sales'], ['crm.mart.report'], { at }));
    const [item] = await found(place, 'sales');
    expect(item).toEqual({
      relation_ref: 'crm.core.sales',
      connector_id: place.connector.id,
      kind: 'relation',
      layer: 'marts',
      columns_known: 1,
      last_observed_at: at,
      upstream_count: 0,
      downstream_count: 2,
    });
  });

  it('finds datasets that no connector owns, and leaves them out if a connector is requested', async () => {
    const place = await world.place();
    await place.emit(runEvent('s3://lake', ['raw/camel-events'], ['raw/camelDaily']));
    const { workspace_id } = own(place);
    const everywhere = async (q: string) => {
      const { json } = await place.ask(
        '/v1/lineage/relations',
        {},
        { query: { workspace_id: String(workspace_id), q } },
      );
      return json.items.map(({ relation_ref }: Item) => relation_ref);
    };
    expect((await everywhere('camel')).toSorted()).toEqual(
      ['s3://lake/raw/camelDaily', 's3://lake/raw/camel-events'].toSorted(),
    );
    expect(await everywhere('daily')).toEqual(['s3://lake/raw/camelDaily']);
    expect(await refs(place, 'camel')).toEqual([]);
  });

  it('finds a model of a complete project that reads nothing, has no columns and feeds nothing', async () => {
    const place = await world.place();
    const lone = { resource_type: 'model', database: 'crm', schema: 'mart', alias: 'hermit', compiled_code: null };
    const node = { ...lone, original_file_path: 'models/hermit.sql', depends_on: { nodes: [] } };
    const metadata = { project_id: 'crm', adapter_type: 'postgres', generated_at: '2026-11-20T10:00:00Z' };
    const manifest = { metadata, nodes: { 'model.crm.hermit': node }, sources: {} };
    const body = { completeness: 'complete', project_id: 'crm', source_event_key: 'hermit', manifest };
    const { status, json } = await place.declare('/v1/lineage/dbt/manifest', body);
    expect(status, JSON.stringify(json)).toBe(202);
    expect(await refs(place, 'hermit')).toEqual(['crm.mart.hermit']);
  });

  it('does not name relations that left the graph or belong to another workspace', async () => {
    const [place, other] = [await world.place(), await world.place()];
    const manifest = (sources: readonly string[]) => ({
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: sources.join(),
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
            depends_on: { nodes: sources.map((name) => `source.crm.${name}`) },
          },
        },
        sources: Object.fromEntries(
          sources.map((name) => [`source.crm.${name}`, { database: 'crm', schema: 'core', identifier: name }]),
        ),
      },
    });
    const sent = await place.declare('/v1/lineage/dbt/manifest', manifest(['llama_old', 'llama_new']));
    expect(sent.status, JSON.stringify(sent.json)).toBe(202);
    expect(await refs(place, 'llama')).toEqual(['crm.core.llama_new', 'crm.core.llama_old']);
    await place.declare('/v1/lineage/dbt/manifest', manifest(['llama_new']));
    expect(await refs(place, 'llama')).toEqual(['crm.core.llama_new']);
    expect(await refs(other, 'llama')).toEqual([]);
  });

  it('pages through more matches than it ranks at once, each once', async () => {
    const place = await world.place();
    const names = Array.from({ length: 230 }, (_, n) => `crm.core.many_${String(n).padStart(3, '0')}_many`);
    await place.emit(runEvent(place.namespace, names, ['crm.mart.one']));
    const seen = await refs(place, 'many', { limit: '200' });
    expect(seen.toSorted()).toEqual(names);
    expect((await refs(place, '', { limit: '60' })).toSorted()).toEqual([...names, 'crm.mart.one'].toSorted());
    // The one that all feed is wide: it comes first, though its name is last in the index.
    const [first] = await found(place, 'crm', { limit: '5' });
    expect(first).toMatchObject({ relation_ref: 'crm.mart.one', upstream_count: 230 });
  });

  it('refuses the cursor of another search', async () => {
    const place = await world.place();
    await emit(place, ['crm.core.cursor_a', 'crm.core.cursor_b'], 'crm.mart.cursor_c');
    const { json } = await place.ask('/v1/lineage/relations', { q: 'cursor', limit: '1' });
    const workspace_id = place.workspace;
    for (const filters of [
      { ...own(place), q: 'curs' },
      { workspace_id, q: 'cursor' },
    ]) {
      const query = { ...filters, cursor: json.next_cursor };
      const refused = await place.ask('/v1/lineage/relations', {}, { query });
      expect([refused.status, refused.json.detail.code]).toEqual([422, 'validation_error']);
    }
  });
});

describe('one relation', () => {
  it('tells its names, its columns and who describes them, and who is around it (C-RELATION-3)', async () => {
    const place = await world.place();
    const at = (day: number) => `2026-11-${day}T10:00:00.000Z`;
    const columns = { total: [['crm.core.sales', 'amount'] as const] };
    await place.emit(runEvent(place.namespace, ['crm.core.sales'], ['crm.mart.totals'], { columns, at: at(18) }));
    await place.emit(runEvent(place.namespace, ['crm.mart.totals'], ['crm.mart.report'], { at: at(20) }));
    const { status, json } = await place.ask('/v1/lineage/relation', { relation_ref: 'CRM.mart.totals' });
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json).toEqual({
      workspace_id: place.workspace,
      relation_ref: 'crm.mart.totals',
      connector_id: place.connector.id,
      kind: 'relation',
      layer: 'marts',
      lineage_resolution: { method: 'case_folded', fallback_reason: 'case_differs' },
      aliases: [],
      cost: { read_units: expect.any(Number), requests: expect.any(Number) },
      columns: [{ name: 'total', type: null, described_by: ['openlineage'] }],
      columns_complete: false,
      providers: [{ provider_instance_id: expect.any(String), provider_type: 'openlineage' }],
      first_observed_at: at(18),
      last_observed_at: at(20),
      upstream_count: 1,
      downstream_count: 1,
      edges: [
        { upstream: 'crm.core.sales', downstream: 'crm.mart.totals', verdict: 'observed_only', verdict_reason: null },
        { upstream: 'crm.mart.totals', downstream: 'crm.mart.report', verdict: 'observed_only', verdict_reason: null },
      ],
      edges_complete: true,
      summary: { verdicts: { confirmed: 0, declared_only: 0, observed_only: 2, contradicted: 0 } },
      truncated: false,
      claim: expect.objectContaining({ kind: 'breaks' }),
    });
    const missing = await place.ask('/v1/lineage/relation', { relation_ref: 'crm.mart.nowhere' });
    expect([missing.status, missing.json.detail.code]).toEqual([404, 'not_found']);
  });
});

describe('a name that does not resolve', () => {
  const resolution = async (place: LineagePlace, relation_ref: string) =>
    (await place.ask('/v1/lineage/impact', { relation_ref })).json.lineage_resolution;

  it('is answered with up to ten of the nearest names, none of another connector or workspace (C-IDENTITY-12)', async () => {
    const [place, other] = [await world.place(), await world.place()];
    await emit(place, ['crm.core.orders'], 'crm.mart.orders');
    await place.emit(runEvent('file', ['/data/orders_raw'], ['/data/orders_clean']));
    await emit(other, ['crm.core.orderz'], 'crm.mart.other');
    expect(await resolution(place, 'ordes')).toEqual({
      method: 'unresolved',
      fallback_reason: 'not_in_graph',
      candidates: ['crm.core.orders', 'crm.mart.orders', 'file//data/orders_raw', 'file//data/orders_clean'],
    });
    await emit(place, ['crm.north.parts'], 'crm.south.parts');
    const ambiguous = await resolution(place, 'parts');
    expect(ambiguous).toMatchObject({ method: 'unresolved', fallback_reason: 'ambiguous' });
    expect(ambiguous.candidates.slice(0, 2)).toEqual(['crm.north.parts', 'crm.south.parts']);
    expect(await resolution(place, 'crm.core.orders')).toEqual({ method: 'exact', fallback_reason: null });
    const many = Array.from({ length: 12 }, (_, i) => `crm.core.orders_${i}`);
    await emit(place, many, 'crm.mart.wide');
    expect((await resolution(place, 'crm.core.orders_x')).candidates).toHaveLength(10);
    const { json } = await place.ask('/v1/lineage/relation', { relation_ref: 'crm.core.ordes' });
    expect(json.detail.hint).toMatch(/^The nearest names: crm\.core\.orders, /);
    const search = async (q: string) => (await place.ask('/v1/lineage/relations', { q })).json;
    expect((await search('core oders')).candidates[0]).toBe('crm.core.orders');
    expect((await search('core oders')).candidates).not.toContain('crm.core.orderz');
    for (const q of ['', 'orders']) expect(await search(q), q).not.toHaveProperty('candidates');
  });
});
