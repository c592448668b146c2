import { createHash } from 'node:crypto';
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
type Project = {
  readonly statements: Statements;
  readonly seeds?: Statements;
  readonly config?: object;
  readonly catalog?: object;
};

const names = { database: 'd', schema: 's', source_name: 'raw' };
const sources = Object.fromEntries(
  ['claims', 'claims_new'].map((name) => [
    `source.m.raw.${name}`,
    { ...names, name, identifier: name, resource_type: 'source', unique_id: `source.m.raw.${name}` },
  ]),
);

/** `{name}` in a statement is a model that it reads. */
function write(
  place: string,
  { statements, seeds = {}, config = {}, catalog = {} }: Project,
  materialized: Statements,
  adapter_type: string,
): void {
  const idOf = (name: string) => {
    const source = `source.m.raw.${name}`;
    return source in sources ? source : `${name in seeds ? 'seed' : 'model'}.m.${name}`;
  };
  const nodes = Object.entries(statements).map(([name, sql]) => {
    const reads = [...new Set(sql.match(/(?<=\{)\w+/g))];
    return [
      `model.m.${name}`,
      {
        ...{ resource_type: 'model', database: 'd', schema: 's', name, fqn: ['m', name] },
        config: { materialized: materialized[name] ?? 'table' },
        depends_on: { nodes: reads.map(idOf) },
        compiled_code: sql.replaceAll(/\{(\w+)\}/g, '"d"."s"."$1"'),
      },
    ];
  });
  mkdirSync(path.join(folder, place, 'seeds'), { recursive: true });
  const seedNodes = Object.entries(seeds).map(([name, text]) => {
    const original_file_path = path.join('seeds', `${name}.csv`);
    writeFileSync(path.join(folder, place, original_file_path), text);
    const checksum = { name: 'sha256', checksum: createHash('sha256').update(text.trim()).digest('hex') };
    const relation = { resource_type: 'seed', database: 'd', schema: 's', name, fqn: ['m', name] };
    return [
      `seed.m.${name}`,
      { ...relation, original_file_path, checksum, config: { materialized: 'seed', delimiter: ',', ...config } },
    ];
  });
  const manifest = {
    metadata: { adapter_type, project_name: 'm' },
    nodes: Object.fromEntries([...seedNodes, ...nodes]),
  };
  mkdirSync(path.join(folder, place), { recursive: true });
  writeFileSync(path.join(folder, place, 'manifest.json'), JSON.stringify({ ...manifest, sources }));
  writeFileSync(path.join(folder, place, 'catalog.json'), JSON.stringify({ nodes: {}, sources: catalog }));
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
  adapter = 'postgres',
): Promise<readonly string[]> {
  return selectedOf({ statements: before }, { statements: after }, materialized, adapter);
}

async function selectedOf(
  before: Project,
  after: Project,
  materialized: Statements = {},
  adapter = 'postgres',
): Promise<readonly string[]> {
  write('base', before, materialized, adapter);
  write('target', after, materialized, adapter);
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

  const numbered = (call = 'row_number()', by = 'order_id', which = 'place = 1') => `select * from (
    select order_id, day, ${call} over (partition by ${by} order by day) as place from {orders}
  ) as numbered where ${which}`;
  const latest = {
    ...{ orders: base.orders, refunds: base.refunds, latest: numbered() },
    joined: 'select r.amount, l.day from {refunds} as r left join {latest} as l on l.order_id = r.order_id',
    by_amount: 'select amount, count(*) as n from {joined} group by amount',
  };
  const byCustomer = (statements: typeof latest) => ({
    ...statements,
    joined: statements.joined.replace('r.order_id', 'r.customer_id'),
  });

  it('are not selected if a left join finds the one row that row_number numbers with 1', async () => {
    expect(await comparedWith(latest, byCustomer(latest))).toEqual(['joined']);
    const qualified = 'select * from {orders} qualify row_number() over (partition by order_id order by day) = 1';
    const others = { ...latest, latest: qualified };
    expect(await comparedWith(others, byCustomer(others), {}, 'snowflake')).toEqual(['joined']);
  });

  it.each([
    ['rank numbers them', numbered('rank()')],
    ['they are numbered within something else', numbered(undefined, 'day')],
    ['more than one number is left', numbered(undefined, undefined, 'place <= 2')],
    ['another column is compared', numbered(undefined, undefined, 'day = 1')],
    ['a star may hold the number, too', numbered().replace('order_id, day', '*').replace('{orders}', 'elsewhere')],
  ])('are selected if %s', async (_, statement) => {
    const others = { ...latest, latest: statement };
    expect(await comparedWith(others, byCustomer(others))).toEqual(['by_amount', 'joined']);
  });

  const paid = {
    payments: "select order_id, amount, state from elsewhere where state <> 'failed'",
    by_state: "select order_id, sum(amount) as amount from {payments} where state = 'ok' group by order_id",
    last: 'select max(amount) as amount from {by_state}',
  };

  it('are not selected if their own filter implies the one that changes above', async () => {
    const after = { ...paid, payments: paid.payments.replace("<> 'failed'", "= 'ok'") };
    expect(await comparedWith(paid, after)).toEqual(['payments']);
  });

  it.each([
    ["state <> 'OK '", "state = 'ok'"],
    ["state <> 't'", "state = 'true'"],
    ["state <> '01'", "state = '1'"],
    ["state <> 'failed'", "state <> 'late'"],
  ])('are selected if a filter may hold other rows: %s, and %s', async (filter, own) => {
    const by_state = paid.by_state.replace("state = 'ok'", own);
    const before = { ...paid, by_state, payments: paid.payments.replace("state <> 'failed'", filter) };
    const after = { ...before, payments: paid.payments.replace("state <> 'failed'", 'state is not null') };
    expect(await comparedWith(before, after)).toEqual(['by_state', 'last', 'payments']);
  });

  it('are not selected if they are written for what has another name', async () => {
    const after = {
      ...base,
      by_order: base.by_order.replace('refunded', 'total'),
      enriched: base.enriched.replace('r.refunded', 'r.total as refunded'),
    };
    expect(await comparedWith(base, after)).toEqual(['by_order']);
    const kept = await comparedWith(base, after, { enriched: 'incremental' });
    expect(kept).toEqual(['by_order', 'enriched', 'total']);
  });

  it('are not selected if the new order of a filter is an alias that no relation need have', async () => {
    const one = 'select id as order_id, customer as customer_id, amount from elsewhere';
    const before = { ...base, refunds: one };
    const after = { ...base, refunds: `${one} qualify row_number() over (order by order_id) > 1` };
    const found = ['by_order', 'enriched', 'refunds', 'total'];
    expect(await comparedWith(before, after, {}, 'snowflake')).toEqual(found);
  });

  it('are selected if their statement does not name what they read', async () => {
    const others = { by_day: '-- {enriched}\nselect 1 as day, 2 as orders', total: 'select 3 as refunded' };
    expect(await selected(others)).toEqual(['by_day', 'by_order', 'enriched']);
  });
});

it('takes a source for one with the columns that the catalog lists, so that no statement fails (C-FILES-3)', async () => {
  const statements = { ...base, refunds: 'select order_id, customer_id, amount from {claims}' };
  const after = { statements: { ...statements, refunds: statements.refunds.replace('claims', 'claims_new') } };
  const columns = Object.fromEntries(
    ['order_id', 'customer_id', 'amount'].map((name, index) => [name, { name, index }]),
  );
  const listed = (some: object) => ({ 'source.m.raw.claims_new': { metadata: {}, columns: some } });
  const { amount: _, ...fewer } = columns;
  const all = ['by_day', 'by_order', 'enriched', 'refunds', 'total'];
  expect(await selectedOf({ statements, catalog: listed(columns) }, after)).toEqual(all.slice(1));
  expect(await selectedOf({ statements, catalog: listed(fewer) }, after)).toEqual(all);
  expect(await selectedOf({ statements }, after)).toEqual(all);
});

it('takes the statement of a relation that the other version does not have (C-FILES-3)', async () => {
  const { by_day, ...others } = base;
  const view = { ...others, days: 'select day, refunded from {enriched}', by_day: by_day.replace('enriched', 'days') };
  expect(await comparedWith(view, base)).toEqual([]);
  expect(await comparedWith(base, view)).toEqual(['days']);
  const fewer = { ...view, days: `${view.days} where day > 1` };
  expect(await comparedWith(fewer, base)).toEqual(['by_day']);
});

describe('seeds, whose rows are those of their files (C-FILES-3)', () => {
  const statements = {
    staged: `select o.id, coalesce(s.state, 'unknown') as state, s.is_open from elsewhere o
      left join {states} s on s.code = o.code`,
    by_state: 'select state, count(*) as n from {staged} group by state',
    open: 'select is_open, count(*) as n from {staged} group by is_open',
    ids: 'select count(distinct id) as ids, count(*) as n from {staged}',
  };
  const states = 'code,state,is_open\nP,placed,true\nPD,paid,true\nSH,"sent, ""fast""",false\n';
  const altered = (after: string, { before = states, config = {} } = {}) =>
    selectedOf({ statements, seeds: { states: before }, config }, { statements, seeds: { states: after }, config });

  it('are not selected if they hold the same rows in another order', async () => {
    expect(await altered('code,state,is_open\nSH,"sent, ""fast""",false\r\nPD,"paid",true\nP,placed,true')).toEqual([]);
  });

  it('have only the readers selected that read a column with other values, if a left join finds one row', async () => {
    expect(await altered(states.replace('PD,paid', 'PD,placed'))).toEqual(['by_state', 'staged', 'states']);
  });

  it('have no reader selected that reads only the rows of a left join, if they lose a row', async () => {
    const after = states.replace('PD,paid,true\n', '');
    expect(await altered(after)).toEqual(['by_state', 'open', 'staged', 'states']);
  });

  it('have no reader selected whose filter says the same of both values', async () => {
    const words = states.replace('"sent, ""fast"""', 'sent');
    const valid = "select count(*) as n from {staged} where state <> 'unknown'";
    const version = (text: string): Project => ({ statements: { ...statements, valid }, seeds: { states: text } });
    const altered = ['by_state', 'staged', 'states'];
    const selectedAfter = (word: string) => selectedOf(version(words), version(words.replace('paid', word)));
    expect(await selectedAfter('late')).toEqual(altered);
    expect(await selectedAfter('unknown')).toEqual([...altered, 'valid']);
  });

  const everything = ['by_state', 'ids', 'open', 'staged', 'states'];
  it.each<[string, string, object?]>([
    ['two rows have one code', `${states}PD,late,true\n`],
    ['two codes are one without their case', `${states}pd,late,true\n`],
    ['a code may be two spellings of one value', `${states}t,late,true\ntrue,later,true\n`],
    ['the file is not well-formed', `${states}X,"late,true\n`],
    ['a row has too few values', `${states}X,late\n`],
    ['a type is chosen for a column', `${states}X,late,true\n`, { column_types: { code: 'char(1)' } }],
    ['a hook may add rows', `${states}X,late,true\n`, { 'post-hook': [{ sql: 'insert into {{ this }} …' }] }],
    ['values have another delimiter', `${states}X,late,true\n`, { delimiter: ';' }],
  ])('have all readers selected if %s', async (_, after, config = {}) => {
    expect(await altered(after, { config })).toEqual(everything);
  });

  it('have all readers selected if no file has the checksum of the manifest', async () => {
    const after = { statements, seeds: { states: `${states}X,late,true\n` } };
    expect(await selectedOf({ statements, seeds: { states } }, after)).not.toContain('ids');
    writeFileSync(path.join(folder, 'base', 'seeds', 'states.csv'), 'code,state,is_open\n');
    const { output } = await commandLine(['diff', 'dbt', '.', '--base', 'base', '--select', '--json'], { folder });
    expect(JSON.parse(output).selected).toHaveLength(everything.length);
  });

  it('are a key for the join of a model that another change alters', async () => {
    const before = { statements, seeds: { states } };
    const staged = statements.staged.replace("'unknown'", "'none'");
    expect(await selectedOf(before, { ...before, statements: { ...statements, staged } })).toEqual([
      'by_state',
      'staged',
    ]);
  });
});
