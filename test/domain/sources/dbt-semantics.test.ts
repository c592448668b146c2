import { describe, expect, it } from 'vitest';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, tableEdges, valueEdges } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'crm', default_schema: 'core' }));
const orders = {
  ...{ resource_type: 'model', database: 'crm', schema: 'core', alias: 'orders', name: 'orders' },
  relation_name: '"crm"."core"."orders"',
  compiled_code: 'select id, customer, amount, tax, state, ordered_at from crm.raw.orders',
  depends_on: { nodes: ['source.s.raw.orders'] },
};
const metric = (name: string, type_params: object, nodes: readonly string[], more: object = {}) => ({
  [`metric.s.${name}`]: { name, resource_type: 'metric', type_params, depends_on: { nodes }, ...more },
});
const manifest = {
  metadata: { adapter_type: 'postgres' },
  sources: {
    'source.s.raw.orders': {
      ...{ resource_type: 'source', database: 'crm', schema: 'raw', identifier: 'orders', name: 'orders' },
    },
  },
  nodes: { 'model.s.orders': orders },
  semantic_models: {
    'semantic_model.s.sales': {
      ...{ name: 'sales', resource_type: 'semantic_model', node_relation: { relation_name: orders.relation_name } },
      entities: [{ name: 'order', type: 'primary', expr: 'id' }],
      dimensions: [{ name: 'status', expr: "case when state = 1 then 'open' end" }, { name: 'ordered_at' }],
      measures: [
        { name: 'gross', agg: 'sum', expr: 'amount + tax' },
        { name: 'count', agg: 'sum', expr: 1 },
        { name: 'customers', agg: 'count_distinct', expr: 'customer' },
      ],
      depends_on: { nodes: ['model.s.orders'] },
    },
  },
  metrics: {
    ...metric('gross', { measure: { name: 'gross' } }, ['semantic_model.s.sales'], {
      filter: { where_filters: [{ where_sql_template: "{{ Dimension('order__status') }} = 'open'" }] },
    }),
    ...metric('buyers', { measure: { name: 'customers' } }, ['semantic_model.s.sales']),
    ...metric('per_buyer', { expr: 'gross / buyers', metrics: [{ name: 'gross' }, { name: 'buyers' }] }, [
      'metric.s.gross',
      'metric.s.buyers',
    ]),
  },
  saved_queries: {
    'saved_query.s.weekly': {
      ...{ name: 'weekly', resource_type: 'saved_query', depends_on: { nodes: ['metric.s.per_buyer'] } },
      query_params: { metrics: ['per_buyer'], group_by: ["Dimension('order__status')"], where: null },
      exports: [{ name: 'weekly_table', config: { export_as: 'table', schema_name: 'marts', alias: 'weekly' } }],
    },
  },
  exposures: {
    'exposure.s.board': { name: 'board', depends_on: { nodes: ['metric.s.per_buyer'] } },
  },
};
const declaredOf = (changed: object = {}) =>
  declare(scope, { kind: 'dbt_manifest', manifest: { ...manifest, ...changed } });

describe('a semantic layer (C-DBT-9)', () => {
  it('consumes the columns in expressions of measures, dimensions and entities', async () => {
    const declared = await declaredOf();
    expect(valueEdges(declared, 'semantic_model.s.sales').sort()).toEqual([
      'crm.core.orders.amount -> gross',
      'crm.core.orders.customer -> customers',
      'crm.core.orders.id -> order',
      'crm.core.orders.ordered_at -> ordered_at',
      'crm.core.orders.tax -> gross',
    ]);
    const status = derivationOf(declared, 'semantic_model.s.sales').columns.filter(
      ({ outputColumn }) => outputColumn === 'status',
    );
    expect(status.map(({ inputColumn, subtype }) => [inputColumn, subtype])).toEqual([['state', 'CONDITIONAL']]);
  });

  it('has the aggregations of metrics as dbt 2 writes them, without measures', async () => {
    const sales = { ...manifest.semantic_models['semantic_model.s.sales'], measures: [] };
    const of = (semantic_model: string, expr?: string) => ({
      ...{ measure: null, expr: expr === undefined ? 'amount + tax' : null },
      metric_aggregation_params: { semantic_model, agg: 'sum', expr: expr ?? null, agg_time_dimension: 'ordered_at' },
    });
    const declared = await declaredOf({
      semantic_models: { 'semantic_model.s.sales': sales },
      metrics: {
        ...metric('gross', of('sales'), []),
        ...metric('buyers', of('renamed since', 'customer'), ['semantic_model.s.sales']),
        ...metric('running', { cumulative_type_params: { metric: { name: 'gross' } } }, ['metric.s.gross']),
      },
      saved_queries: {},
      exposures: {},
    });
    expect(valueEdges(declared, 'semantic_model.s.sales').sort()).toEqual([
      'crm.core.orders.amount -> gross',
      'crm.core.orders.customer -> buyers',
      'crm.core.orders.id -> order',
      'crm.core.orders.ordered_at -> ordered_at',
      'crm.core.orders.tax -> gross',
    ]);
    expect(valueEdges(declared, 'metric.s.gross')).toEqual(['semantic_model.s.sales.gross -> gross']);
    expect(valueEdges(declared, 'metric.s.buyers')).toEqual(['semantic_model.s.sales.buyers -> buyers']);
    expect(valueEdges(declared, 'metric.s.running')).toEqual(['metric.s.gross.gross -> running']);
  });

  it.each([
    ['cumulative', {}, { type: 'cumulative' }],
    ['with nulls filled', { measure: { name: 'gross', fill_nulls_with: 0 } }, {}],
    ['with an offset', { metrics: [{ name: 'gross', offset_window: { count: 7, granularity: 'day' } }] }, {}],
  ])('reads the days of its time spine for a metric that is %s', async (_, params, more) => {
    const days = { ...orders, alias: 'all_days', name: 'all_days', relation_name: '"crm"."core"."all_days"' };
    const spine = { ...days, compiled_code: 'select d as date_day from crm.raw.orders' };
    const time_spine = { standard_granularity_column: 'date_day', custom_granularities: [] };
    const nodes = { ...manifest.nodes, 'model.s.all_days': { ...spine, time_spine } };
    const measure = { name: 'gross', fill_nulls_with: null, join_to_timespine: false };
    const metrics = {
      ...manifest.metrics,
      ...metric('running', { measure, ...params }, ['semantic_model.s.sales'], more),
      ...metric('plain', { measure }, ['semantic_model.s.sales']),
    };
    const declared = await declaredOf({ nodes, metrics });
    const columns = derivationOf(declared, 'metric.s.running').columns.map(
      ({ input, inputColumn, type }) => `${relationRefOf(input)}.${inputColumn} ${type}`,
    );
    expect(columns).toContain('crm.core.all_days.date_day INDIRECT');
    expect(tableEdges(declared)).not.toContain('crm.core.all_days -> metric.s.plain');
  });

  it('passes measures on to metrics, through metrics, and to saved queries and what they export', async () => {
    const declared = await declaredOf();
    expect(valueEdges(declared, 'metric.s.gross')).toEqual(['semantic_model.s.sales.gross -> gross']);
    const rows = derivationOf(declared, 'metric.s.gross').columns.filter(({ type }) => type === 'INDIRECT');
    expect(rows.map(({ inputColumn, subtype }) => [inputColumn, subtype])).toEqual([['status', 'FILTER']]);
    expect(valueEdges(declared, 'metric.s.per_buyer')).toEqual([
      'metric.s.gross.gross -> per_buyer',
      'metric.s.buyers.buyers -> per_buyer',
    ]);
    for (const ref of ['saved_query.s.weekly', 'crm.marts.weekly'])
      expect(valueEdges(declared, ref)).toEqual([
        'metric.s.per_buyer.per_buyer -> per_buyer',
        'semantic_model.s.sales.status -> status',
      ]);
    expect(declared.unresolved).toEqual([]);
  });

  it('follows metric_time, and dimensions that an entity joins', async () => {
    const customers = {
      ...{ resource_type: 'model', database: 'crm', schema: 'core', alias: 'customers', name: 'customers' },
      relation_name: '"crm"."core"."customers"',
      compiled_code: 'select id, region from crm.raw.orders',
      depends_on: { nodes: ['source.s.raw.orders'] },
    };
    const sales = manifest.semantic_models['semantic_model.s.sales'];
    const declared = await declaredOf({
      nodes: { ...manifest.nodes, 'model.s.customers': customers },
      semantic_models: {
        'semantic_model.s.sales': {
          ...sales,
          entities: [...sales.entities, { name: 'customer', type: 'foreign' }],
          defaults: { agg_time_dimension: 'ordered_at' },
        },
        'semantic_model.s.people': {
          ...{ name: 'people', node_relation: { relation_name: customers.relation_name } },
          entities: [{ name: 'customer', type: 'primary', expr: 'id' }],
          dimensions: [{ name: 'region' }],
          depends_on: { nodes: ['model.s.customers'] },
        },
      },
      saved_queries: {
        'saved_query.s.regions': {
          ...{ name: 'regions', depends_on: { nodes: ['metric.s.gross'] } },
          query_params: {
            metrics: ['gross'],
            group_by: ["TimeDimension('metric_time', 'day')", "Dimension('customer__region')"],
          },
        },
      },
    });
    expect(valueEdges(declared, 'saved_query.s.regions').sort()).toEqual([
      'metric.s.gross.gross -> gross',
      'semantic_model.s.people.customer -> customer',
      'semantic_model.s.people.region -> region',
      'semantic_model.s.sales.customer -> customer',
      'semantic_model.s.sales.ordered_at -> ordered_at',
    ]);
    expect(declared.unresolved).toEqual([]);
  });

  it('depends on the metric and the dimension that filter a metric or one of its inputs', async () => {
    const where = (where_sql_template: string) => ({ filter: { where_filters: [{ where_sql_template }] } });
    const filtered = (one: object) => [{ name: 'gross', ...one }];
    const loyal = where("{{ Metric('buyers', group_by=['order']) }} > 1");
    const open = where("{{ Dimension('order__status') }} = 'open'");
    const declared = await declaredOf({
      metrics: {
        ...manifest.metrics,
        ...metric('loyal', { metrics: filtered(loyal) }, ['metric.s.gross']),
        ...metric('open', { measure: { name: 'gross', ...open } }, ['semantic_model.s.sales']),
      },
    });
    const rowsOf = (id: string) =>
      declared.derivations.flatMap(({ output, inputs, columns }) =>
        relationRefOf(output) === id
          ? columns.flatMap(({ type, inputColumn }) =>
              type === 'INDIRECT' ? [[...inputs.map(relationRefOf), inputColumn]] : [],
            )
          : [],
      );
    expect(rowsOf('metric.s.loyal')).toEqual([['metric.s.buyers', 'metric.s.gross', 'buyers']]);
    expect(rowsOf('metric.s.open')).toEqual([['semantic_model.s.sales', 'status']]);
  });

  it('has titles and owners as exposures have', async () => {
    const gross = { ...manifest.metrics['metric.s.gross'], label: 'Gross', config: { meta: { owner: 'finance' } } };
    const declared = await declaredOf({ metrics: { ...manifest.metrics, 'metric.s.gross': gross } });
    expect(derivationOf(declared, 'metric.s.gross').exposure).toEqual({
      tool: 'metric',
      title: 'Gross',
      owners: ['finance'],
    });
  });

  it('leaves exposures of metrics their models, and counts what it cannot read', async () => {
    const sales = manifest.semantic_models['semantic_model.s.sales'];
    const broken = { ...sales, measures: [{ name: 'gross', expr: 'sum(' }] };
    const declared = await declaredOf({
      semantic_models: { 'semantic_model.s.sales': broken, 'semantic_model.s.no': 5 },
    });
    expect(tableEdges(declared)).toContain('crm.core.orders -> exposure.s.board');
    expect(tableEdges(declared)).toContain('crm.core.orders -> semantic_model.s.sales');
    expect(declared.unresolved.flatMap(({ assets }) => assets)).toContain('semantic_model.s.sales');
  });
});
