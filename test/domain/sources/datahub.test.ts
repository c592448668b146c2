import { beforeAll, describe, expect, it } from 'vitest';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { Declared } from '../../../shared/domain/lineage/sources/declared/declared.ts';
import { declaredFieldErrors, readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import catalog from '../../fixtures/datahub/crm-catalog.json' with { type: 'json' };
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, tableEdges, valueEdges } from './declare.ts';

const warehouse = connectorWith({ datahub_platform_instances: ['eu'] });
const lake = connectorWith({ id: 'lake', kind: 'snowflake' });
const scope = scopeOf(warehouse, [warehouse, lake]);
const urn = (platform: string, name: string, env = 'PROD') =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${env})`;
const read = (provided: Record<string, unknown> | unknown[]) =>
  readDeclared(scope, { kind: 'datahub_catalog', export: provided });
const entry = (fields: Record<string, unknown>) => ({
  upstreamUrn: urn('postgres', 'crm.core.a'),
  downstreamUrn: urn('postgres', 'crm.core.b'),
  ...fields,
});

it('lists the columns of datasets with schema metadata, without the fields within them, in any order (C-DATAHUB-5)', async () => {
  const field = (fieldPath: unknown, nativeDataType?: unknown) => ({ fieldPath, nativeDataType, nullable: true });
  const fields = [
    field('[version=2.0].[type=struct].address.[type=string].zip', 'TEXT'),
    field('id', 'INT'),
    field('[version=2.0].[type=struct].address', 'STRUCT'),
    field('[version=2.0].[type=struct].address.[type=string].city', 'TEXT'),
    field('note', 7),
  ];
  const datasets = [
    { urn: urn('postgres', 'crm.core.accounts'), schemaMetadata: { fields } },
    { urn: urn('postgres', 'crm.core.empty'), schemaMetadata: { fields: [] } },
    { urn: urn('postgres', 'crm.core.other'), schemaMetadata: 'text' },
    { urn: 'urn:li:chart:1', schemaMetadata: { fields } },
    5,
  ];
  const stated = await declare(scope, { kind: 'datahub_catalog', export: { lineage: [], datasets } });
  const columns = [
    { name: 'id', type: 'INT' },
    { name: 'address', type: 'STRUCT' },
    { name: 'note', type: null },
  ];
  expect([...stated.schemas.values()]).toEqual([{ columns, stars: [], complete: true }]);
  expect(read({ lineage: [], datasets: {} })).toMatchObject({ itemCount: 0, shapeErrors: [] });
});

it('takes a dataset of dbt for the relation of its name that an entry joins to it (C-DATAHUB-2)', async () => {
  const [a, b] = ['a', 'b'].map((name) => urn('postgres', `crm.core.${name}`));
  const [ofA, ofB, unjoined] = ['A', 'b', 'c'].map((name) => urn('dbt', `crm.core.${name}`));
  const field = (dataset: string | undefined, name: string) => `urn:li:schemaField:(${dataset},${name})`;
  const joined = ['id', 'total'].map((name) => ({ upstreams: [field(ofB, name)], downstreams: [field(b, name)] }));
  const lineage = [
    { upstreamUrn: a, downstreamUrn: ofA },
    {
      upstreamUrn: ofA,
      downstreamUrn: ofB,
      fineGrainedLineages: [{ upstreams: [field(ofA, 'id')], downstreams: [field(ofB, 'id')] }],
    },
    { upstreamUrn: ofB, downstreamUrn: b, fineGrainedLineages: joined },
    { upstreamUrn: b, downstreamUrn: unjoined },
  ];
  const declared = await declare(scope, { kind: 'datahub_catalog', export: lineage });
  expect(tableEdges(declared)).toEqual(['crm.core.a -> crm.core.b', `crm.core.b -> ${unjoined}`]);
  expect(valueEdges(declared, 'crm.core.b')).toEqual(['crm.core.a.id -> id']);
});

describe('what a catalog states', () => {
  let declared: Declared;
  beforeAll(async () => {
    declared = await declare(scope, { kind: 'datahub_catalog', export: catalog });
  });

  it('resolves URNs to relations of the connectors that own them, one edge a pair', () => {
    expect(tableEdges(declared)).toEqual([
      'crm.core.accounts -> CRM.CORE.ACCOUNTS',
      `${urn('kafka', 'accounts.v1')} -> crm.core.accounts`,
      `${urn('postgres', 'eu.crm.core.accounts', 'DEV')} -> CRM.CORE.ACCOUNTS`,
    ]);
  });

  it('maps the columns of the entry’s own datasets, and says what it cannot read', () => {
    const { columns, unresolved, location, producer } = derivationOf(declared, 'CRM.CORE.ACCOUNTS');
    expect(columns.map((one) => [one.inputColumn, one.outputColumn, one.subtype, one.masking])).toEqual([
      ['id', 'ID', 'IDENTITY', false],
      ['email', 'EMAIL_HASH', 'TRANSFORMATION', true],
    ]);
    expect(unresolved).toEqual([
      { outputColumn: 'X', reason: 'column_source_outside_inputs' },
      { outputColumn: 'Y', reason: 'field_urn_malformed' },
    ]);
    expect(location).toBe('/export/lineage/0');
    expect(producer.namespace).toBe('test');
  });

  it('takes the column out of a typed field path', () => {
    expect(derivationOf(declared, 'crm.core.accounts').columns).toMatchObject([
      { inputColumn: 'id', outputColumn: 'id' },
    ]);
  });

  it('says where columns are not reported', () => {
    const of = (reason: string, asset: string) => ({ reason, count: 1, assets: [asset], assets_left_out: 0 });
    expect(declared.unresolved).toEqual([
      of('catalog_entry_names_no_relation', '/export/lineage/4'),
      of('column_source_outside_inputs', 'CRM.CORE.ACCOUNTS'),
      of('field_urn_malformed', 'CRM.CORE.ACCOUNTS'),
      of('columns_not_reported', 'CRM.CORE.ACCOUNTS'),
    ]);
  });

  it('distinguishes entries about other things, which miss nothing, from unreadable URNs (C-DATAHUB-4)', async () => {
    const reasonsOf = async (upstreamUrn: string) => {
      const stated = await declare(scope, { kind: 'datahub_catalog', export: [entry({ upstreamUrn })] });
      return stated.unresolved.map(({ reason }) => reason);
    };
    expect(await reasonsOf('urn:li:dashboard:(looker,1)')).toEqual(['catalog_entry_names_no_relation']);
    expect(await reasonsOf('no urn')).toEqual(['catalog_identity_unresolved']);
  });
});

describe('what field-level lineage states (C-DATAHUB-6)', () => {
  const report = urn('tableau', 'report');
  const field = (dataset: string, column: string) => `urn:li:schemaField:(${dataset},${column})`;
  const fine = (upstreams: string[], downstreams: string[], transformOperation?: string) => ({
    upstreams,
    downstreams,
    ...(transformOperation && { transformOperation }),
  });
  const within = (...fineGrainedLineages: object[]) =>
    entry({ upstreamUrn: report, downstreamUrn: report, fineGrainedLineages });
  const derived = async (...entries: object[]) =>
    (await declare(scope, { kind: 'datahub_catalog', export: entries })).derivations;

  it('keeps what its own dataset computes columns, and nothing else of a dataset and itself', async () => {
    const [itself, ...more] = await derived(
      within(),
      within(fine([field(report, 'Sales')], [field(report, 'Sales')])),
      within(fine([field(report, 'Sales'), field(report, 'Cost')], [field(report, 'Sales'), field(report, 'Margin')])),
    );
    expect(more).toEqual([]);
    expect(itself?.columns.map((one) => `${one.inputColumn} ${one.outputColumn}`)).toEqual([
      'Cost Sales',
      'Sales Margin',
      'Cost Margin',
    ]);
    expect(read([within(), within(fine([field(report, 'a')], [field(report, 'b')]))]).counts).toMatchObject({
      observations: 1,
    });
  });

  it('leaves an output open if its source is of a dataset that does not feed it, or is no column', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => urn('postgres', `crm.core.${name}`)) as [string, string, string];
    const mappings = [fine([field(c, 'x')], [field(b, 'x')]), fine([a], [field(b, 'y')])];
    const unresolved = async (...entries: object[]) => (await derived(...entries)).map((one) => one.unresolved);
    const whole = { outputColumn: 'y', reason: 'source_column_not_given' };
    expect(await unresolved(entry({ fineGrainedLineages: mappings }))).toEqual([
      [{ outputColumn: 'x', reason: 'column_source_outside_inputs' }, whole],
    ]);
    const ofBoth = { fineGrainedLineages: mappings };
    expect(await unresolved(entry(ofBoth), entry({ ...ofBoth, upstreamUrn: c }))).toEqual([[whole], []]);
  });

  it.each([
    ['COPY: "a"."id" AS "id"', 'IDENTITY', false, undefined],
    ['IDENTITY', 'IDENTITY', false, undefined],
    ['SQL: SUM("a"."paid") AS "total"', 'AGGREGATION', false, 'SUM("a"."paid")'],
    [
      'SQL: SUM([a].[paid]) OVER (PARTITION BY [a].[id]) AS [total]',
      'TRANSFORMATION',
      false,
      'SUM([a].[paid]) OVER (PARTITION BY [a].[id])',
    ],
    ['SQL: MD5(`a`.`email`) AS `email`', 'TRANSFORMATION', true, 'MD5(`a`.`email`)'],
    [
      'SQL: "a"."hash_of_parts" || CAST("a"."id" AS TEXT)',
      'TRANSFORMATION',
      false,
      '"a"."hash_of_parts" || CAST("a"."id" AS TEXT)',
    ],
    ['CalculatedFieldformula: [Clicks]/[Mails]', 'TRANSFORMATION', false, '[Clicks]/[Mails]'],
    ['SHA2', 'TRANSFORMATION', true, undefined],
    ['aggregate', 'AGGREGATION', false, undefined],
    ['COALESCE(a, b)', 'TRANSFORMATION', false, 'COALESCE(a, b)'],
  ])('reads the operation %j', async (operation, subtype, masking, expression) => {
    const mapping = fine(
      [field(urn('postgres', 'crm.core.a'), 'x')],
      [field(urn('postgres', 'crm.core.b'), 'y')],
      operation,
    );
    const [one] = await derived(entry({ fineGrainedLineages: [mapping] }));
    expect(one?.columns.map((column) => [column.subtype, column.masking, column.expression])).toEqual([
      [subtype, masking, expression],
    ]);
  });

  it('keeps 500 characters of an expression', async () => {
    const long = `SQL: ${'a + '.repeat(100_000)}a`;
    const mapping = fine(
      [field(urn('postgres', 'crm.core.a'), 'x')],
      [field(urn('postgres', 'crm.core.b'), 'y')],
      long,
    );
    const [one] = await derived(entry({ fineGrainedLineages: [mapping] }));
    expect(one?.columns[0]?.expression).toHaveLength(500);
  });
});

describe('reading a catalog', () => {
  it('counts entries, and those that name no relation (C-DATAHUB-1)', () => {
    expect(read(catalog)).toMatchObject({
      itemCount: 6,
      shapeErrors: [],
      counts: { edges_received: 6, unresolved: 1, observations: 3 },
    });
    expect(read([entry({})]).counts).toEqual({ edges_received: 1, unresolved: 0, observations: 1 });
    expect(read({ edges: [entry({})] }).counts).toEqual({ edges_received: 1, unresolved: 0, observations: 1 });
  });

  it.each([
    ['urn:li:dashboard:(looker,dashboards.1)', true],
    ['urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)', true],
    ['urn:li:container:0123', true],
    ['not a urn', false],
    ['', false],
    [undefined, false],
    [17, false],
    [urn('postgres', ''), false],
    ['urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.a', false],
    ['urn:li:dataset:(postgres,crm.core.a,PROD)', false],
  ])('leaves an entry to %j unresolved; well-formed: %s (C-DATAHUB-4)', (downstreamUrn, wellFormed) => {
    const reading = read([entry({ downstreamUrn })]);
    expect(reading.counts).toMatchObject({ unresolved: 1 });
    expect(reading.invalidItems).toEqual([]);
    expect(reading.shapeErrors.map(({ path }) => path)).toEqual(wellFormed ? [] : ['/export/0/downstreamUrn']);
  });

  it('tells apart what is no entry', () => {
    const reading = read({ lineage: [entry({}), 5, entry({ fineGrainedLineages: {} })] });
    expect(reading.invalidItems.map(({ index }) => index)).toEqual([1, 2]);
    expect(reading.shapeErrors.map(({ path }) => path)).toEqual([
      '/export/lineage/1',
      '/export/lineage/2/fineGrainedLineages',
    ]);
    expect(reading.counts).toMatchObject({ edges_received: 3, unresolved: 0, observations: 1 });
  });

  it('does not take an object without entries for an empty catalog', () => {
    expect(read([]).shapeErrors).toEqual([]);
    expect(read({ lineage: [] }).shapeErrors).toEqual([]);
    expect(read({}).shapeErrors.map(({ path }) => path)).toEqual(['/export']);
    expect(declaredFieldErrors({ kind: 'datahub_catalog', export: { edges: 3 } }).map(({ path }) => path)).toEqual([
      '/export/edges',
    ]);
  });
});

describe('charts and dashboards (C-DATAHUB-7)', () => {
  const orders = urn('postgres', 'crm.core.orders');
  const report = urn('tableau', 'site.report');
  const [chart, other] = ['urn:li:chart:(tableau,site.1)', 'urn:li:chart:(tableau,site.2)'] as const;
  const board = 'urn:li:dashboard:(tableau,site.board)';
  const field = (parent: string, path: string) => `urn:li:schemaField:(${parent},${path})`;
  const shows = (fieldPath: string, schemaFieldUrn: string) => ({ fieldPath, schemaFieldUrn });
  const stated = (...exposures: object[]) =>
    declare(scope, { kind: 'datahub_catalog', export: { lineage: [], exposures } });
  const mappings = ({ derivations }: Declared) =>
    derivations.flatMap(({ columns, output }) =>
      columns.map(
        (one) => `${relationRefOf(one.input)} ${one.inputColumn} -> ${relationRefOf(output)} ${one.outputColumn}`,
      ),
    );
  const doubts = ({ derivations }: Declared) =>
    derivations.map(({ inputs: [input], output, unresolved }) => [
      input && relationRefOf(input),
      relationRefOf(output),
      ...unresolved.map(({ outputColumn, reason }) => `${outputColumn} ${reason}`),
    ]);

  it('connects fields to columns, however paths and names are written', async () => {
    const found = await stated({
      urn: chart,
      inputs: [orders],
      fields: [
        shows('Amount (net)', field(orders, 'amount')),
        shows('', field(orders, '[version=2.0].[type=struct].[type=struct].place.[type=string].city')),
        shows('share', field(report, '% of total %28net%29')),
        shows('[version=2.0].[type=string].day', field(orders, 'day')),
      ],
    });
    expect(mappings(found)).toEqual([
      `crm.core.orders amount -> ${chart} Amount (net)`,
      `crm.core.orders place.city -> ${chart} place.city`,
      `crm.core.orders day -> ${chart} day`,
      `${report} % of total (net) -> ${chart} share`,
    ]);
    expect(found.unresolved).toEqual([]);
  });

  it('has a dashboard consist of its charts, and not read a second time what they read', async () => {
    const found = await stated(
      { urn: chart, inputs: [orders], fields: [shows('amount', field(orders, 'amount'))] },
      {
        urn: board,
        title: 'Board',
        owners: ['urn:li:corpuser:jane%40shop.test', 'urn:li:corpGroup:finance'],
        inputs: [chart, orders, report],
        fields: [shows('amount', field(orders, 'amount')), shows('day', field(report, 'day'))],
      },
    );
    expect(tableEdges(found)).toEqual([`crm.core.orders -> ${chart}`, `${chart} -> ${board}`, `${report} -> ${board}`]);
    expect(mappings(found)).toEqual([`crm.core.orders amount -> ${chart} amount`, `${report} day -> ${board} day`]);
    const passed = { of: `exposure:warehouse:${chart}`, except: [], renamed: [] };
    expect(derivationOf(found, board)).toMatchObject({
      unresolved: [{ outputColumn: null, open: { kind: 'star', star: passed } }],
      exposure: { title: 'Board', tool: 'tableau', owners: ['jane@shop.test', 'finance'] },
    });
    expect(
      [...found.schemas].map(([node, { columns, stars }]) => [node, columns.map(({ name }) => name), stars]),
    ).toEqual([
      [`exposure:warehouse:${chart}`, ['amount'], []],
      [`exposure:warehouse:${board}`, ['day'], [passed]],
    ]);
  });

  it('leaves open what it does not say: only then an exposure has no columns', async () => {
    const found = await stated(
      { urn: chart, inputs: [orders, report], fields: [shows('day', field(orders, 'day'))] },
      { urn: other, inputs: [report], fields: [shows('sum', field(other, 'sum')), shows('rest', 'no urn')] },
      { urn: board, inputs: [report] },
    );
    expect(doubts(found)).toEqual([
      ['crm.core.orders', chart],
      [report, chart, 'null input_not_in_column_lineage'],
      [report, other, 'sum source_column_not_given', 'rest field_urn_malformed'],
      [report, board, 'null exposure_has_no_columns'],
    ]);
  });

  it('refuses a complete export whose charts cannot be read, since their evidence would be retracted', () => {
    const { shapeErrors, invalidItems, itemCount } = read({
      lineage: [entry({})],
      exposures: [{ urn: chart }, { urn: orders }, { urn: board, inputs: ['no urn'] }, 5],
    });
    expect(shapeErrors.map(({ path }) => path)).toEqual([
      '/export/exposures/1/urn',
      '/export/exposures/2/inputs/0',
      '/export/exposures/3',
    ]);
    expect([itemCount, invalidItems.map(({ index, code }) => [index, code])]).toEqual([
      5,
      [2, 3, 4].map((index) => [index, 'invalid_exposure']),
    ]);
    expect(declaredFieldErrors({ kind: 'datahub_catalog', export: { lineage: [], exposures: {} } })).toHaveLength(1);
  });
});
