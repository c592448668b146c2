import { describe, expect, it } from 'vitest';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Item = { readonly relation_ref: string; readonly columns: readonly string[] };

/** What a search in columns finds, page after page: each relation with its columns. */
async function found(place: LineagePlace, q: string, limit = '50'): Promise<(readonly [string, ...string[]])[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = { workspace_id: place.workspace, in: 'columns', q, limit, ...(cursor !== null && { cursor }) };
    const { status, json } = await place.ask('/v1/lineage/relations', {}, { query });
    expect(status, JSON.stringify(json)).toBe(200);
    items.push(...json.items);
    cursor = json.next_cursor;
  } while (cursor !== null);
  return items.map(({ relation_ref, columns }) => [relation_ref, ...columns] as const);
}

/** The names of columns that a search which finds nothing answers instead. */
async function candidates(place: LineagePlace, q: string): Promise<readonly string[] | undefined> {
  const query = { workspace_id: place.workspace, in: 'columns', q };
  return (await place.ask('/v1/lineage/relations', {}, { query })).json.candidates;
}

const mapping = (from: string, ...columns: readonly string[]) => ({
  columns: Object.fromEntries(columns.map((name) => [name, [[from, name] as const]])),
});

describe('finding columns', () => {
  it('answers the relations that have one of that beginning, exact names first, then the most connected (C-RELATION-4)', async () => {
    const place = await world.place();
    const { namespace } = place;
    await place.emit(
      runEvent(namespace, ['crm.core.a'], ['crm.mart.b'], mapping('crm.core.a', 'Customer_Id', 'total')),
    );
    await place.emit(runEvent(namespace, ['crm.core.c'], ['crm.mart.d'], mapping('crm.core.c', 'customer_id_old')));
    await place.emit(runEvent(namespace, ['crm.mart.d'], ['crm.mart.e'], mapping('crm.mart.d', 'customer_id_old')));
    expect(await found(place, 'CUSTOMER_ID')).toEqual([
      ['crm.core.a', 'Customer_Id'],
      ['crm.mart.b', 'Customer_Id'],
      ['crm.mart.d', 'customer_id_old'],
      ['crm.core.c', 'customer_id_old'],
      ['crm.mart.e', 'customer_id_old'],
    ]);
    expect(await found(place, 'mart tot')).toEqual([['crm.mart.b', 'total']]);
    for (const q of ['id', 'x', 'crm zebra total']) expect(await found(place, q), q).toEqual([]);
    for (const limit of ['1', '2']) expect(await found(place, 'customer', limit)).toHaveLength(5);
    expect(await candidates(place, 'Custmer_id')).toEqual(['Customer_Id', 'customer_id_old']);
    expect(await candidates(place, 'mart totl')).toEqual(['total']);
    expect(await candidates(place, 'zebra total')).toEqual([]);
    expect(await candidates(place, 'customer')).toBeUndefined();
  });

  it('knows columns from lists too, and forgets them with the statement that named them', async () => {
    const place = await world.place();
    const manifest = (column: string) => ({
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: column,
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
            depends_on: { nodes: ['source.crm.raw'] },
            columns: { [column]: { name: column, data_type: 'text' } },
          },
        },
        sources: { 'source.crm.raw': { database: 'crm', schema: 'core', identifier: 'raw' } },
      },
    });
    await place.declare('/v1/lineage/dbt/manifest', manifest('shipped_at'));
    expect(await found(place, 'ship')).toEqual([['crm.mart.kept', 'shipped_at']]);
    await place.declare('/v1/lineage/dbt/manifest', manifest('sent_at'));
    expect([await found(place, 'ship'), await found(place, 'sent')]).toEqual([[], [['crm.mart.kept', 'sent_at']]]);
    // Its posting is there still: nothing has that column any more.
    expect(await candidates(place, 'shipped_ad')).toEqual([]);
    expect(await candidates(place, 'sent_ad')).toEqual(['sent_at']);
  });

  it('still shows a column whose evidence is beyond what one search reads', async () => {
    const place = await world.place();
    const columns = Array.from({ length: 450 }, (_, i) => `wide_${String(i).padStart(3, '0')}`);
    await place.emit(
      columns.map((column) => {
        const from = `crm.core.of_${column}`;
        return runEvent(place.namespace, [from], ['crm.mart.wide'], {
          job: column,
          columns: { [column]: [[from, 'x']] },
        });
      }),
    );
    // A page reads at most 240 postings: the relation returns on the next page with its other columns.
    const all = (await found(place, 'wide_')).filter(([ref]) => ref === 'crm.mart.wide');
    expect(new Set(all.flatMap(([, ...names]) => names))).toEqual(new Set(columns));
  });

  it('stays in its workspace and its list, and wants a name', async () => {
    const [place, other] = [await world.place(), await world.place()];
    const names = Array.from({ length: 40 }, (_, n) => `crm.core.many_${n}`);
    for (const name of names)
      await place.emit(runEvent(place.namespace, [name], ['crm.mart.one'], mapping(name, 'shared')));
    expect((await found(place, 'shared', '7')).map(([ref]) => ref).toSorted()).toEqual(
      [...names, 'crm.mart.one'].toSorted(),
    );
    expect(await found(other, 'shared')).toEqual([]);
    const query = { workspace_id: place.workspace, in: 'columns', q: 'shared', limit: '1' };
    const { json } = await place.ask('/v1/lineage/relations', {}, { query });
    const { in: _, ...relations } = query;
    for (const refused of [
      { ...relations, cursor: json.next_cursor },
      { ...query, q: ' ' },
      { ...query, in: 'tables' },
    ]) {
      const { status, json } = await place.ask('/v1/lineage/relations', {}, { query: refused });
      expect([status, json.detail.code]).toEqual([422, 'validation_error']);
    }
  });
});
