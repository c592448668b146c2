import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'unaltered-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Statements = Readonly<Record<string, string>>;

/** `{name}` in a statement is a model that it reads. */
function write(place: string, statements: Statements, materialized: Statements): void {
  const nodes = Object.entries(statements).map(([name, sql]) => {
    const reads = [...new Set(sql.match(/(?<=\{)\w+/g))];
    return [
      `model.m.${name}`,
      {
        ...{ resource_type: 'model', database: 'd', schema: 's', name, fqn: ['m', name] },
        config: { materialized: materialized[name] ?? 'table' },
        depends_on: { nodes: reads.map((one) => `model.m.${one}`) },
        compiled_code: sql.replaceAll(/\{(\w+)\}/g, '"d"."s"."$1"'),
      },
    ];
  });
  const manifest = { metadata: { adapter_type: 'postgres', project_name: 'm' }, nodes: Object.fromEntries(nodes) };
  mkdirSync(path.join(folder, place), { recursive: true });
  writeFileSync(path.join(folder, place, 'manifest.json'), JSON.stringify({ ...manifest, sources: {} }));
}

const base = {
  orders: 'select 1 as order_id, 2 as customer_id, 3 as day',
  refunds: 'select 1 as order_id, 2 as customer_id, 3 as amount',
  by_order: 'select order_id, sum(amount) as refunded from {refunds} group by order_id',
  enriched: `with r as (select * from {by_order})
    select o.order_id, o.day, r.refunded from {orders} o left join r on r.order_id = o.order_id`,
  by_day: 'select day, count(*) as orders from {enriched} group by day',
  total: 'select sum(refunded) as refunded from {enriched}',
};

/** What is selected if the grouped refunds lose rows. */
function selected(other: Statements = {}, materialized: Statements = {}): Promise<readonly string[]> {
  const before = { ...base, ...other };
  return comparedWith(before, { ...before, by_order: `${before.by_order} having count(*) > 1` }, materialized);
}

async function comparedWith(
  before: Statements,
  after: Statements,
  materialized: Statements = {},
): Promise<readonly string[]> {
  write('base', before, materialized);
  write('target', after, materialized);
  const { output } = await commandLine(['diff', 'dbt', '.', '--base', 'base', '--select', '--json'], { folder });
  const { selected: lines } = JSON.parse(output) as { readonly selected: readonly string[] };
  return lines.map((line) => line.slice(line.lastIndexOf('.') + 1)).sort();
}

const all = ['by_day', 'by_order', 'enriched', 'total'];

describe('models that hold the same although what they read differs (C-FILES-3)', () => {
  it('are not selected if a left join by the columns that a relation is grouped by only adds columns', async () => {
    expect(await selected()).toEqual(['by_order', 'enriched', 'total']);
  });

  it('are not selected if the key is that of a query inside', async () => {
    const by_order = `select g.order_id, g.refunded from (${base.by_order}) as g where g.refunded > 0`;
    const after = { ...base, by_order: `${by_order} and g.refunded > 1` };
    expect(await comparedWith({ ...base, by_order }, after)).toEqual(['by_order', 'enriched', 'total']);
  });

  it.each<[string, Statements, Statements?]>([
    ['the join is by another column', { enriched: base.enriched.replace('r.order_id =', 'r.refunded =') }],
    [
      'the join is by a part of the key',
      {
        by_order: 'select order_id, customer_id, sum(amount) as refunded from {refunds} group by order_id, customer_id',
      },
    ],
    [
      'the key equals no column of another relation',
      { enriched: base.enriched.replace('= o.order_id', '= r.refunded') },
    ],
    ['one of two conditions is enough', { enriched: `${base.enriched} or o.day = 1` }],
    ['the join is an inner one', { enriched: base.enriched.replace('left join', 'join') }],
    ['the joined column filters', { enriched: `${base.enriched} where r.refunded > 0` }],
    ['the model keeps rows of earlier runs', {}, { enriched: 'incremental' }],
    [
      'the reader reads a column of the join',
      { by_day: 'select refunded, count(*) as n from {enriched} group by refunded' },
    ],
    ['the keys are grouped with totals', { by_order: base.by_order.replace('by order_id', 'by rollup (order_id)') }],
  ])('are selected if %s', async (_, other, materialized) => {
    expect(await selected(other, materialized)).toEqual(all);
  });
});
