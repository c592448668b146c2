import { beforeAll, describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { contributionOf } from '../../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import type { RunEvent } from '../../../../shared/domain/lineage/sources/openlineage/event.ts';
import { columnsKey } from '../../../../shared/domain/lineage/sources/openlineage/facets.ts';
import { runOf } from '../../../../shared/domain/lineage/sources/openlineage/run.ts';
import { canSettle } from '../../../../shared/domain/lineage/sources/openlineage/settle-column-sources.ts';
import type { SqlParser } from '../../../../shared/domain/lineage/sql/types.ts';
import { runEvent } from '../../../support/run-event.ts';
import { interpret, itself, settledBy } from './interpret.ts';

const namespace = 'postgres://warehouse:5432';
let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

type Columns = NonNullable<NonNullable<Parameters<typeof runEvent>[3]>['columns']>;

function event(inputs: readonly string[], columns: Columns, sql: string | undefined, integration = 'SQL'): RunEvent {
  const sent = runEvent(namespace, inputs, ['shop.marts.customers'], { columns, ...(sql !== undefined && { sql }) });
  const jobType = { _producer: 'https://p.test', _schemaURL: 'https://s.test', processingType: 'BATCH', integration };
  return { ...sent, job: { ...sent.job, facets: { ...sent.job.facets, jobType } } } as RunEvent;
}

const settle = <E extends RunEvent>(sent: E): E => settledBy(parser)(sent);
const graph = (sent: RunEvent) => {
  const { tables, columns } = interpret([sent], undefined, settledBy(parser));
  const short = (text: string) => text.replaceAll(`${namespace}/`, '');
  return { tables: tables.map(short), columns: columns.map(short) };
};

const ranked =
  'with ranked as (select customer_id, sum(amount) as ltv from shop.raw.payments group by 1) select customer_id, ltv from ranked';

it('takes what it reads from a statement from no sender', () => {
  const sent = event(['shop.raw.payments'], { ltv: [['shop.raw.payments', 'amount']] }, undefined);
  const facets = {
    tributary_whole: true,
    tributary_derived: true,
    tributary_own_inputs: [{ namespace, name: 'shop.raw.orders' }],
  };
  const outputs = sent.outputs?.map((output) => ({ ...output, facets: { ...output.facets, ...facets } })) ?? [];
  expect(contributionOf({ ...sent, outputs }, itself).content).toEqual(contributionOf(sent, itself).content);
});

describe('a column source that is no input of the job (C-IMPACT-9)', () => {
  it('is settled by the statement if it is the name of a CTE', () => {
    const { tables, columns } = graph(event(['shop.raw.payments'], { ltv: [['ranked', 'ltv']] }, ranked));
    expect(tables).toEqual(['shop.raw.payments -> shop.marts.customers']);
    expect(columns).toEqual([
      'shop.raw.payments.amount -> shop.marts.customers.ltv DIRECT/AGGREGATION',
      'shop.raw.payments.customer_id -> shop.marts.customers.* INDIRECT/GROUP_BY',
    ]);
  });

  it('is an input that the event left out if the statement reads it', () => {
    const sql = 'select p.amount as ltv from shop.raw.payments p join shop.raw.orders o on o.id = p.order_id';
    const { tables } = graph(event(['shop.raw.orders'], { ltv: [['shop.raw.payments', 'amount']] }, sql));
    expect(tables).toEqual(['shop.raw.orders -> shop.marts.customers', 'shop.raw.payments -> shop.marts.customers']);
  });

  it.each([
    ['without a statement', undefined, ['* output_column_not_in_column_lineage']],
    ['whose statement cannot be read', 'select from where', ['* influence_not_reported']],
  ])('leaves the columns of every input open %s', (_, sql, more) => {
    const sent = event(['shop.raw.payments', 'shop.raw.orders'], { ltv: [['ranked', 'ltv']] }, sql);
    const { tables, columns, unresolved } = { ...graph(sent), ...openOf(sent) };
    expect(tables).toEqual(['shop.raw.orders -> shop.marts.customers', 'shop.raw.payments -> shop.marts.customers']);
    expect(columns).toEqual([]);
    expect(unresolved.sort()).toEqual(['ltv column_source_outside_inputs', ...more].sort());
  });

  it('is an input, also by a name of one part, if no dataset of the event is of its namespace', () => {
    const sent = event(['shop.raw.payments'], { ltv: [['orders', 'amount']] }, undefined);
    const text = JSON.stringify(sent).replace(`"${namespace}","name":"orders"`, '"mongodb://crm","name":"orders"');
    expect(graph(JSON.parse(text)).tables).toEqual([
      'mongodb://crm/orders -> shop.marts.customers',
      'shop.raw.payments -> shop.marts.customers',
    ]);
  });

  it('is kept if the job has no inputs at all', () => {
    expect(graph(event([], { ltv: [['shop.raw.payments', 'amount']] }, undefined)).tables).toEqual([
      'shop.raw.payments -> shop.marts.customers',
    ]);
  });

  it('needs no parser if every source is an input and the event says what decides rows, or shows no statement', () => {
    const mapped: Columns = { ltv: [['shop.raw.payments', 'amount']] };
    expect(canSettle(event(['shop.raw.payments'], mapped, undefined))).toBe(false);
    expect(canSettle(withRows(event(['shop.raw.payments'], mapped, ranked)))).toBe(false);
    expect(canSettle(event(['shop.raw.payments'], mapped, ranked))).toBe(true);
  });
});

describe('a facet that names values only (C-OPENLINEAGE-21)', () => {
  const mapped: Columns = { ltv: [['shop.raw.payments', 'amount']] };
  const inputs = ['shop.raw.payments', 'shop.raw.orders'];
  const joined =
    "select p.amount as ltv from shop.raw.payments p join shop.raw.orders o on o.id = p.order_id where o.state = 'x'";

  it.each(['DBT', 'AIRFLOW', 'TRINO'])('gets the columns that decide which rows there are: %s', (integration) => {
    expect(graph(event(inputs, mapped, joined, integration)).columns).toEqual([
      'shop.raw.orders.id -> shop.marts.customers.* INDIRECT/JOIN',
      'shop.raw.orders.state -> shop.marts.customers.* INDIRECT/FILTER',
      expect.stringMatching(/^shop.raw.payments.amount -> shop.marts.customers.ltv DIRECT/),
      'shop.raw.payments.order_id -> shop.marts.customers.* INDIRECT/JOIN',
    ]);
  });

  it('is kept as it is if it says of some column that it decides rows', () => {
    const sent = withRows(event(inputs, mapped, joined));
    expect(settle(sent)).toBe(sent);
  });

  it('says that they are not reported if the statement is not understood', () => {
    expect(openOf(event(inputs, mapped, 'select from where')).unresolved).toContain('* influence_not_reported');
  });

  it('takes no part of the output itself for an input', () => {
    const sql = 'select amount as ltv from shop.raw.payments where id > (select max(ltv) from shop.marts.customers)';
    const { tables } = graph(event(['shop.raw.payments'], mapped, sql, 'DBT'));
    expect(tables).toEqual(['shop.raw.payments -> shop.marts.customers']);
  });
});

/** The event with one column that is reported to influence the rows. */
function withRows(sent: RunEvent): RunEvent {
  const [output] = sent.outputs ?? [];
  if (!output) return sent;
  const source = { namespace, name: 'shop.raw.payments', field: 'day', transformations: [{ type: 'INDIRECT' }] };
  const columnLineage = { ...output.facets?.columnLineage, dataset: [source] };
  return { ...sent, outputs: [{ ...output, facets: { ...output.facets, columnLineage } }] };
}

describe('a facet that its producer made by parsing the statement', () => {
  it('is read again: columns are those of the statement, with their own names', () => {
    const sql = 'select id as party, name from shop.raw.people union all select code, label from shop.raw.firms';
    const reported: Columns = { party: [['shop.raw.people', 'id']], code: [['shop.raw.firms', 'code']] };
    const { columns } = graph(event(['shop.raw.people', 'shop.raw.firms'], reported, sql, 'DBT'));
    expect(columns.filter((one) => one.includes(' DIRECT'))).toEqual([
      'shop.raw.firms.code -> shop.marts.customers.party DIRECT/IDENTITY',
      'shop.raw.firms.label -> shop.marts.customers.name DIRECT/IDENTITY',
      'shop.raw.people.id -> shop.marts.customers.party DIRECT/IDENTITY',
      'shop.raw.people.name -> shop.marts.customers.name DIRECT/IDENTITY',
    ]);
  });

  it('leaves open what a star over columns that are not known may bring', () => {
    const sent = event(
      ['shop.raw.people'],
      { id: [['shop.raw.people', 'id']] },
      'select * from shop.raw.people',
      'DBT',
    );
    expect(openOf(sent).unresolved).toEqual(['* star_over_unknown_columns']);
  });
});

describe('a star of such a statement', () => {
  const star = (sql: string, columns: Columns = {}) =>
    contributionOf(settle(event(['shop.raw.people'], columns, sql, 'DBT')), itself);

  it('is kept as what a list of columns would settle', () => {
    const { at, digest, content } = star('with p as (select * from shop.raw.people) select * from p');
    const { derivations } = runOf(new Map([[digest, { content, first: at, last: at }]]), '');
    expect(derivations.flatMap(({ unresolved }) => unresolved)).toEqual([
      {
        outputColumn: null,
        reason: 'star_over_unknown_columns',
        open: { kind: 'star', star: { of: expect.stringContaining('people'), except: [], renamed: [] } },
      },
    ]);
  });

  it('makes the list of the output that of the relation behind it, plus the columns that the statement adds', () => {
    const { contents } = star('select *, upper(name) as loud from shop.raw.people');
    expect([...contents.values()]).toEqual([
      {
        columns: [{ name: 'loud', type: null }],
        stars: [{ of: expect.stringContaining('people'), except: [], renamed: [] }],
        complete: true,
      },
    ]);
  });

  it('makes no list where the statement may leave out columns, or one has no name', () => {
    const lists = (sql: string) => [...star(sql).contents.values()].map(({ complete }) => complete);
    expect(lists('insert into shop.marts.customers (id) select id from shop.raw.people')).toEqual([false]);
    expect(lists('select id, upper(name) || id from shop.raw.people')).toEqual([false]);
    expect(lists('select id, upper(name) as loud from shop.raw.people')).toEqual([true]);
  });
});

/** The columns that an event leaves open, each with its reason. */
function openOf(sent: RunEvent): { readonly unresolved: string[] } {
  const { at, digest, content } = contributionOf(settle(sent), itself);
  const { derivations } = runOf(new Map([[digest, { content, first: at, last: at }]]), '');
  const open = derivations.flatMap(({ unresolved }) => unresolved);
  return { unresolved: [...new Set(open.map(({ outputColumn, reason }) => `${outputColumn ?? '*'} ${reason}`))] };
}

describe('an event that maps no columns (C-OPENLINEAGE-22)', () => {
  const output = 'shop.marts.customers';
  const payments = 'shop.raw.payments';
  const silent = (sql: string, inputs: readonly string[] = [payments], outputs: readonly string[] = [output]) =>
    runEvent(namespace, inputs, outputs, { sql }) as RunEvent;
  const sums = 'select customer_id, sum(amount) as ltv from raw.payments group by 1';
  const mapped = [
    `${payments}.amount -> ${output}.ltv DIRECT/AGGREGATION`,
    `${payments}.customer_id -> ${output}.* INDIRECT/GROUP_BY`,
    `${payments}.customer_id -> ${output}.customer_id DIRECT/IDENTITY`,
  ];

  it.each([
    ['that it inserts', `insert into marts.customers (customer_id, ltv) ${sums}`],
    ['of the relation that it makes', `create table shop.marts.customers as ${sums}`],
    ['that it returns', sums],
  ])('has the columns %s', (_, sql) => {
    expect(graph(silent(sql))).toEqual({ tables: [`${payments} -> ${output}`], columns: mapped });
  });

  it.each([
    ['reads what is no input', silent('select o.id from raw.payments p join raw.orders o on o.id = p.order_id')],
    ['writes another relation', silent(`create table marts.others as ${sums}`)],
    ['may mean either of two inputs', silent('select amount from payments', [payments, 'shop.stage.payments'])],
    ['cannot be read', silent('select from where')],
    ['is one of several outputs', silent(sums, [payments], [output, 'shop.marts.others'])],
  ])('is left to its relations if the statement %s', (_, sent) => {
    expect(graph(sent).columns).toEqual([]);
    expect(graph(sent).tables).toContain(`${payments} -> ${output}`);
  });

  it('keeps an input that the statement does not read', () => {
    const { tables, columns } = graph(silent(sums, [payments, 'shop.raw.orders']));
    expect(tables).toEqual([`shop.raw.orders -> ${output}`, `${payments} -> ${output}`]);
    expect(columns).toEqual(mapped);
  });

  it('is not fed by itself', () => {
    const sql = `update marts.customers c set ltv = c.ltv + p.amount from raw.payments p where p.id = c.id`;
    const { tables, columns } = graph(silent(sql, [payments]));
    expect(tables).toEqual([`${payments} -> ${output}`]);
    expect(columns).toContain(`${payments}.amount -> ${output}.ltv DIRECT/TRANSFORMATION`);
    expect(columns.filter((one) => one.startsWith(output))).toEqual([]);
  });

  it('never outweighs what another event of the run reports, newer or not', () => {
    const reported = event([payments], { ltv: [[payments, 'fee']] }, undefined);
    const derived = { ...silent(sums), run: reported.run, job: { ...silent(sums).job, name: reported.job.name } };
    for (const [first, last] of [
      [reported, derived],
      [derived, reported],
    ] as const) {
      const events = [first, last].map((one, i) => ({ ...one, eventTime: `2026-11-21T12:00:0${i}Z` }));
      const { columns } = interpret(events, undefined, settledBy(parser));
      expect(columns).toEqual([`${namespace}/${payments}.fee -> ${namespace}/${output}.ltv DIRECT/IDENTITY`]);
    }
  });

  it('is read in the dialect of the job, the namespace or the connector', () => {
    // A column, or a text.
    const sql = 'select "fee" as ltv from payments';
    const sent = { ...runEvent('lake', ['payments'], ['customers'], { sql }) } as RunEvent;
    const sources = (one: RunEvent, kind?: string) =>
      settledBy(parser, kind === undefined ? {} : { kind })(one).outputs?.[0]?.facets?.columnLineage?.fields?.['ltv']
        ?.inputFields.length;
    expect([sources(sent), sources(sent, 'postgres'), sources(sent, 'bigquery')]).toEqual([1, 1, 0]);
    const jobType = { _producer: 'https://p.test', _schemaURL: 'https://s.test', integration: 'SPARK' };
    const ofSpark = { ...sent, job: { ...sent.job, facets: { ...sent.job.facets, jobType } } } as unknown as RunEvent;
    expect(sources(ofSpark, 'postgres')).toBe(0);
  });

  it('is left as it is if the connector says so', () => {
    expect(canSettle(silent(sums))).toBe(true);
    expect(canSettle(silent(sums), { statement_columns: 'off' })).toBe(false);
  });

  it('lists the columns of a relation only if the statement surely made it', () => {
    const listed = (sql: string) => Object.keys(settle(silent(sql)).outputs?.[0]?.facets ?? {}).includes(columnsKey);
    expect(listed(`create table marts.customers as ${sums}`)).toBe(true);
    for (const sql of [
      sums,
      `insert into marts.customers ${sums}`,
      `create table if not exists marts.customers as ${sums}`,
    ])
      expect(listed(sql), sql).toBe(false);
  });
});
