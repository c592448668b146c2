import { describe, expect, it } from 'vitest';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const schema = (...names: string[]) => ({
  schema: {
    _producer: 'https://example.com/test',
    _schemaURL: 'https://openlineage.io/spec/facets/1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet',
    fields: names.map((name) => ({ name, type: 'int' })),
  },
});

/** The event with a list of the columns of its output. */
function withColumns(event: ReturnType<typeof runEvent>, ...names: string[]) {
  const [output] = event.outputs;
  return { ...event, outputs: [{ ...output, facets: { ...output?.facets, ...schema(...names) } }] };
}

async function reached(place: LineagePlace, relation_ref: string, column_ref: string, direction: string) {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref, column_ref, direction });
  const items: { relation_ref: string; columns: string[] }[] = json.upstream.concat(json.downstream);
  return {
    items: items.map(({ relation_ref: ref, columns }) => `${ref} ${columns.join()}`),
    reasons: json.precision.reasons.map(({ reason }: { reason: string }) => reason),
  };
}

describe('a columnLineage facet that names a relation which is not among the inputs (C-IMPACT-9)', () => {
  it('gives the edge, and the delivery and the answer say so', async () => {
    const place = await world.place();
    const columns = { qty: [['crm.core.deliveries', 'qty'] as const, ['crm.core.stock', 'qty'] as const] };
    const { json } = await place.emit(runEvent(place.namespace, ['crm.core.stock'], ['crm.core.stock'], { columns }));
    const answer = await reached(place, 'crm.core.deliveries', 'qty', 'downstream');
    expect(answer).toEqual({ items: ['crm.core.stock qty'], reasons: ['column_source_outside_inputs'] });
    const { warnings } = await place.receipt(json.delivery_id);
    expect(warnings).toEqual([
      { code: 'column_source_outside_inputs', message: expect.stringContaining('crm.core.stock') },
    ]);
  });

  it('leaves the column open if the name is that of a CTE, also if the producer qualified it', async () => {
    const place = await world.place();
    const sql = 'with ranked as materialized (select from where) select amount from ranked';
    for (const [name, output] of [
      ['ranked', 'b'],
      ['crm.core.ranked', 'c'],
    ] as const) {
      const columns = { amount: [[name, 'amount'] as const] };
      await place.emit(runEvent(place.namespace, ['crm.core.a'], [`crm.core.${output}`], { columns, sql }));
      expect((await reached(place, `crm.core.${output}`, 'amount', 'upstream')).items).toEqual(['crm.core.a ']);
    }
  });
});

describe('a columnLineage facet that maps some columns of its output (C-OPENLINEAGE-25)', () => {
  const columns = { id: [['crm.raw.a', 'id'] as const] };
  const open = 'output_column_not_in_column_lineage';

  it('leaves those open that the schema of the event has beside them', async () => {
    const place = await world.place();
    await place.emit(withColumns(runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { columns }), 'ID', 'rest'));
    expect(await reached(place, 'crm.core.b', 'rest', 'upstream')).toEqual({ items: ['crm.raw.a '], reasons: [open] });
    expect(await reached(place, 'crm.core.b', 'id', 'upstream')).toEqual({ items: ['crm.raw.a id'], reasons: [] });
    const { items, reasons } = await reached(place, 'crm.raw.a', 'other', 'downstream');
    expect(items).toEqual(['crm.core.b rest']);
    expect(reasons).toContain(open);
  });

  it('leaves those open that only another source knows, whenever it says so', async () => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { columns }));
    expect(await reached(place, 'crm.raw.a', 'id', 'downstream')).toEqual({ items: ['crm.core.b id'], reasons: [] });
    await place.emit(withColumns(runEvent(place.namespace, [], ['crm.core.b'], { job: 'other' }), 'id', 'rest'));
    expect(await reached(place, 'crm.core.b', 'rest', 'upstream')).toEqual({ items: ['crm.raw.a '], reasons: [open] });
  });

  it('leaves nothing open of a column that it lists without sources', async () => {
    const place = await world.place();
    const constant = { ...columns, rest: [] };
    await place.emit(
      withColumns(runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { columns: constant }), 'id', 'rest'),
    );
    expect(await reached(place, 'crm.core.b', 'rest', 'upstream')).toEqual({ items: [], reasons: [] });
  });

  it('leaves all open if it only names what decides the rows', async () => {
    const place = await world.place();
    const event = withColumns(runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { columns: {} }), 'v');
    const [output] = event.outputs;
    const { columnLineage } = { columnLineage: {}, ...output?.facets };
    const status = { namespace: place.namespace, name: 'crm.raw.a', field: 'status' };
    const dataset = [{ ...status, transformations: [{ type: 'INDIRECT', subtype: 'FILTER' }] }];
    const facets = { ...output?.facets, columnLineage: { ...columnLineage, dataset } };
    await place.emit({ ...event, outputs: [{ ...output, facets }] });
    expect((await reached(place, 'crm.raw.a', 'id', 'downstream')).reasons).toContain(open);
  });
});

it('leaves open what decides the rows of several outputs that one text makes (C-OPENLINEAGE-21)', async () => {
  const place = await world.place();
  const sql = 'insert into b select id from a where status = 1; insert into d select id from c';
  const columns = { id: [['crm.core.a', 'id'] as const] };
  await place.emit([
    runEvent(place.namespace, ['crm.core.a', 'crm.core.c'], ['crm.core.b', 'crm.core.d'], { columns, sql }),
  ]);
  const { items, reasons } = await reached(place, 'crm.core.a', 'status', 'downstream');
  expect([items, reasons]).toEqual([
    ['crm.core.b ', 'crm.core.d '],
    expect.arrayContaining(['influence_not_reported']),
  ]);
});
