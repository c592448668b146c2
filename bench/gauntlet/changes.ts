/** An edit of one file of the project: a passage that occurs there once is replaced, or the file is written or removed. */
export type Edit =
  | { readonly file: string; readonly find: string; readonly put: string }
  | { readonly file: string; readonly write: string }
  | { readonly file: string; readonly remove: true };

/** A change to the project. It states no expectation: executing it says what differs. */
export type Change = { readonly name: string; readonly kind: string; readonly edits: readonly Edit[] };

const staging = (model: string, find: string, put: string): Edit => ({
  file: `models/staging/${model}.sql`,
  find,
  put,
});
const intermediate = (model: string, find: string, put: string): Edit => ({
  file: `models/intermediate/${model}.sql`,
  find,
  put,
});
const mart = (model: string, find: string, put: string): Edit => ({ file: `models/marts/${model}.sql`, find, put });
const one = (kind: string, name: string, ...edits: readonly Edit[]): Change => ({ kind, name, edits });

export const changes: readonly Change[] = [
  one(
    'rename',
    'a staged column gets another name, its readers keep the old one',
    staging('stg_customers', 'as customer_name', 'as display_name'),
  ),
  one(
    'rename',
    'a column of a last mart gets another name',
    mart('revenue_monthly', 'over (order by month) as growth', 'over (order by month) as monthly_growth'),
  ),
  one(
    'rename',
    'a staged column gets another name, and its reader with it',
    {
      file: 'models/staging/stg_stores.sql',
      find: 'kind as store_kind',
      put: 'kind as kind_of_store',
    },
    mart('dim_stores', 's.store_kind,', 's.kind_of_store as store_kind,'),
  ),
  one(
    'rename',
    'two columns exchange their names',
    intermediate('int_order_amounts_eur', 'as paid_eur', 'as swapped_eur'),
    intermediate('int_order_amounts_eur', 'as refunded_eur', 'as paid_eur'),
    intermediate('int_order_amounts_eur', 'as swapped_eur', 'as refunded_eur'),
  ),

  one(
    'type',
    'a rate becomes a double',
    staging('stg_currency_rates', 'as decimal(10, 6)) as rate_to_eur', 'as double) as rate_to_eur'),
  ),
  one(
    'type',
    'a size becomes text',
    staging(
      'stg_products',
      "cast(json_extract(attributes, '$.size') as integer)",
      "json_extract_string(attributes, '$.size')",
    ),
  ),
  one(
    'type',
    'a date becomes a timestamp',
    staging('stg_orders', 'cast(o.ordered_at as date) as ordered_on', 'o.ordered_at as ordered_on'),
  ),
  one(
    'type',
    'costs lose their cents',
    staging('stg_channel_costs', 'cast(cost_eur as decimal(12, 2))', 'cast(cost_eur as decimal(12, 0))'),
  ),

  one('filter', 'a comparison becomes stricter', staging('stg_payments', "state <> 'failed'", "state = 'ok'")),
  one('filter', 'a bound moves by one', staging('stg_order_items', 'quantity > 0', 'quantity >= 0')),
  one(
    'filter',
    'another status is left out',
    mart('revenue_daily', "f.status <> 'cancelled'", "f.status <> 'returned'"),
  ),
  one('filter', 'a filter goes', staging('stg_legacy_orders', `where day < date '{{ var("first_day") }}'\n`, '')),
  one(
    'filter',
    'a filter of groups becomes stricter',
    intermediate('int_refunds_by_order', 'having count(*) > 0', 'having count(*) > 1'),
  ),
  one('filter', 'a filter after windows becomes stricter', mart('product_sales', '<= 10', '<= 3')),
  one(
    'filter',
    'an aggregate counts other rows',
    intermediate('int_sessions', "event_type = 'purchase'", "event_type = 'checkout'"),
  ),
  one('filter', 'a model is limited', {
    file: 'models/marts/shipping_performance.sql',
    find: 'group by t.carrier, s.country_code\n',
    put: 'group by t.carrier, s.country_code\norder by t.carrier, s.country_code\nlimit 5\n',
  }),

  one('join', 'an outer join becomes an inner one', mart('dim_stores', 'left join', 'inner join')),
  one('join', 'an inner join becomes an outer one', intermediate('int_shipping_times', 'inner join', 'left join')),
  one(
    'join',
    'a condition of a join goes, in an ephemeral model',
    intermediate('int_order_rates', "\n    and r.month_start = date_trunc('month', o.ordered_on)", ''),
  ),
  one(
    'join',
    'one of three outer joins becomes an inner one',
    intermediate('int_orders_enriched', 'left join refunds', 'inner join refunds'),
  ),
  one(
    'join',
    'a model is joined to itself by another key',
    mart('dim_customers', 'r.customer_id = c.referrer_id', 'r.customer_id = c.customer_id'),
  ),
  one('join', 'a join multiplies rows', mart('channel_returns', ' and c.month_start = r.month_start', '')),

  one(
    'grain',
    'a mart is grouped by one more column',
    mart('revenue_daily', 'group by ordered_on, region', 'group by ordered_on, region, f.status'),
  ),
  one(
    'grain',
    'a mart loses a column that it is grouped by',
    mart('shipping_performance', '    s.country_code,\n', ''),
    mart('shipping_performance', 'group by t.carrier, s.country_code', 'group by t.carrier'),
  ),
  one(
    'grain',
    'customers are no longer counted once',
    mart('cohorts', 'count(distinct c.customer_id)', 'count(c.customer_id)'),
  ),
  one(
    'dedup',
    'the oldest row is taken, not the latest',
    intermediate('int_customers_latest', 'updated_at desc', 'updated_at'),
  ),
  one(
    'dedup',
    'rows are the same if another key is',
    intermediate('int_customers_latest', "'customer_id', 'updated_at desc'", "'email', 'updated_at desc, customer_id'"),
  ),
  one(
    'dedup',
    'one row of each key is left',
    staging(
      'stg_payments',
      "where state <> 'failed'",
      "where state <> 'failed'\nqualify row_number() over (partition by order_id order by payment_id) = 1",
    ),
  ),

  one('union', 'a branch of a union goes', {
    file: 'models/intermediate/int_orders_united.sql',
    find: `
union all

select order_id, customer_id, store_id, status, ordered_on, 'legacy' as origin, total_amount as legacy_amount
from {{ ref('stg_legacy_orders') }}
where status <> 'cancelled'
`,
    put: '',
  }),
  one(
    'union',
    'a branch of a union has another filter',
    intermediate('int_orders_united', "where status <> 'cancelled'", "where status <> 'returned'"),
  ),
  one(
    'union',
    'two columns of a branch change places',
    intermediate(
      'int_orders_united',
      "select order_id, customer_id, store_id, status, ordered_on, 'legacy'",
      "select order_id, store_id, customer_id, status, ordered_on, 'legacy'",
    ),
  ),

  one(
    'formula',
    'a default is another',
    staging('stg_orders', "coalesce(s.status, 'unknown')", "coalesce(s.status, 'placed')"),
  ),
  one('formula', 'a bound of a case is another', mart('customer_value', '> 1500', '> 1000')),
  one(
    'formula',
    'two branches of a case change places',
    intermediate(
      'int_orders_enriched',
      `            when coalesce(payments.paid_amount, 0) >= coalesce(totals.net_amount, 0) then 'settled'
            when payments.paid_amount is null then 'unpaid'
`,
      `            when payments.paid_amount is null then 'unpaid'
            when coalesce(payments.paid_amount, 0) >= coalesce(totals.net_amount, 0) then 'settled'
`,
    ),
  ),
  one('formula', 'another part of JSON is read', staging('stg_products', "'$.tags[0]'", "'$.tags[1]'")),
  one(
    'formula',
    'a default is another, in an ephemeral model',
    intermediate('int_order_rates', 'coalesce(r.rate_to_eur, 1)', 'coalesce(r.rate_to_eur, 0.5)'),
  ),
  one(
    'formula',
    'an operator is another',
    mart('fct_order_items', 'i.net_amount - i.cost_amount', 'i.net_amount + i.cost_amount'),
  ),
  one('formula', 'text is no longer trimmed', staging('stg_orders', 'lower(trim(o.channel))', 'lower(o.channel)')),
  one('formula', 'an aggregate is another', intermediate('int_order_totals', 'max(net_amount)', 'min(net_amount)')),
  one('formula', 'a session ends earlier', intermediate('int_sessions', "interval '2 days'", "interval '12 hours'")),

  one('window', 'a frame is wider', mart('revenue_monthly', 'between 1 preceding', 'between 2 preceding')),
  one(
    'window',
    'orders are numbered from the last',
    intermediate(
      'int_customer_orders',
      'row_number() over (partition by customer_id order by ordered_on, order_id)',
      'row_number() over (partition by customer_id order by ordered_on desc, order_id)',
    ),
  ),
  one(
    'window',
    'a window has another partition',
    mart('dim_products', 'partition by category order by unit_cost', 'partition by color order by unit_cost'),
  ),

  one('macro', 'a macro of five models rounds otherwise', {
    file: 'macros/shop.sql',
    find: '/ 100.0 as decimal(18, 2))',
    put: '/ 100.0 as decimal(18, 1))',
  }),
  one('macro', 'a list that a macro reads is shorter', {
    file: 'dbt_project.yml',
    find: '["paid", "shipped", "delivered"]',
    put: '["shipped", "delivered"]',
  }),
  one(
    'ephemeral',
    'an ephemeral model leaves out rows',
    intermediate(
      'int_valid_orders',
      "where {{ is_valid_order('status') }}",
      "where {{ is_valid_order('status') }} and origin = 'shop'",
    ),
  ),

  one('seed', 'a seed has another value', {
    file: 'seeds/order_statuses.csv',
    find: 'PD,paid,true',
    put: 'PD,placed,true',
  }),
  one('seed', 'a seed loses a row', { file: 'seeds/countries.csv', find: 'IN,India,APAC,0.18\n', put: '' }),
  one('snapshot', 'a snapshot leaves out rows', {
    file: 'snapshots/customers_snapshot.sql',
    find: "from {{ ref('int_customers_latest') }}",
    put: "from {{ ref('int_customers_latest') }}\nwhere country_code <> 'XX'",
  }),
  one(
    'source',
    'a source is another table of the same columns',
    staging('stg_customers', "'customers'", "'customers_archive'"),
  ),
  one(
    'source',
    'a mart reads a model that lies further up',
    mart('fct_payments', "ref('int_orders_united')", "ref('stg_orders')"),
  ),
  one('delete', 'a last mart is deleted', { file: 'models/marts/revenue_monthly.sql', remove: true }),
  one(
    'delete',
    'a model is deleted, and its readers read what it read',
    { file: 'models/marts/dim_stores.sql', remove: true },
    mart('revenue_daily', "left join {{ ref('dim_stores') }} as s", "left join {{ ref('stg_stores') }} as s"),
    mart('revenue_daily', '    region,\n', '    s.country_code as region,\n'),
    mart('revenue_daily', 'group by ordered_on, region', 'group by ordered_on, s.country_code'),
    mart('shipping_performance', "ref('dim_stores')", "ref('stg_stores')"),
  ),
  one('add', 'a column is added in the middle of the project', {
    file: 'models/intermediate/int_items_priced.sql',
    find: '    i.quantity,\n',
    put: '    i.quantity,\n    p.color,\n',
  }),

  one('equal', 'other layout, and comments', {
    file: 'models/intermediate/int_order_totals.sql',
    write: `-- What an order comes to.
SELECT order_id, COUNT(*) AS item_count,
  SUM(quantity) AS unit_count,  /* of all items */
  SUM(gross_amount) AS gross_amount, SUM(net_amount) AS net_amount,
  SUM(cost_amount) AS cost_amount, MAX(net_amount) AS largest_item
FROM {{ ref('int_items_priced') }} GROUP BY order_id
`,
  }),
  one(
    'equal',
    'a common table expression has another name',
    staging('stg_customers', 'with source as', 'with raw_customers as'),
    staging('stg_customers', '    from source\n', '    from raw_customers\n'),
  ),
  one('equal', 'tables have other aliases', {
    file: 'models/marts/dim_stores.sql',
    write: `select stores.store_id, stores.store_name, stores.store_kind, stores.country_code, lands.region, lands.vat_rate
from {{ ref('stg_stores') }} as stores
left join {{ ref('countries') }} as lands on lands.code = stores.country_code
`,
  }),
  one(
    'equal',
    'the sides of a comparison change places',
    intermediate('int_shipping_times', 'o.order_id = s.order_id', 's.order_id = o.order_id'),
  ),
  one(
    'equal',
    'a table becomes a view',
    mart('dim_products', 'select\n    product_id,', "{{ config(materialized='view') }}\n\nselect\n    product_id,"),
  ),
  one(
    'equal',
    'a subquery becomes a common table expression',
    mart(
      'revenue_daily',
      'select\n    ordered_on,',
      "with stores as (\n    select * from {{ ref('dim_stores') }}\n)\n\nselect\n    ordered_on,",
    ),
    mart('revenue_daily', "left join {{ ref('dim_stores') }} as s", 'left join stores as s'),
  ),
  one(
    'equal',
    'conditions are in another order, and an operator is spelled otherwise',
    staging('stg_payments', "where state <> 'failed'", "where 'failed' != state"),
  ),
  one(
    'equal',
    'groups are named, not numbered',
    mart('cohorts', 'group by 1, 2', "group by date_trunc('month', d.signed_up_on), c.order_number"),
  ),
  one(
    'equal',
    'a cast is spelled otherwise',
    staging('stg_channel_costs', 'cast(month_start as date)', 'month_start::date'),
  ),
  one(
    'equal',
    'a star is written out',
    staging(
      'stg_customers',
      'select * from cleaned',
      'select customer_id, customer_name, email, country_code, signed_up_on, updated_at, is_subscribed, referrer_id, plan from cleaned',
    ),
  ),
  one(
    'equal',
    'a macro is written out',
    staging('stg_refunds', "{{ cents_to_amount('amount_cents') }}", 'cast(amount_cents / 100.0 as decimal(18, 2))'),
  ),
  one('equal', 'a seed has its rows in another order', {
    file: 'seeds/countries.csv',
    find: 'JP,Japan,APAC,0.10\nIN,India,APAC,0.18\n',
    put: 'IN,India,APAC,0.18\nJP,Japan,APAC,0.10\n',
  }),
  one('equal', 'models are described and tagged', {
    file: 'models/marts/marts.yml',
    write: `version: 2
models:
  - name: fct_orders
    description: An order with its amounts in euros.
    config: { tags: [finance] }
    columns:
      - name: net_eur
        description: Without tax.
`,
  }),
  one(
    'equal',
    'a union takes equal rows once, and there are none',
    intermediate('int_orders_united', 'union all', 'union'),
  ),
];
