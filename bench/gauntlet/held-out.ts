import type { Change, Edit } from './changes.ts';

const model =
  (folder: string) =>
  (name: string, find: string, put: string): Edit => ({
    file: `models/${folder}/${name}.sql`,
    find,
    put,
  });
const [staging, intermediate, mart] = [model('staging'), model('intermediate'), model('marts')] as const;
const one = (kind: string, name: string, ...edits: readonly Edit[]): Change => ({ kind, name, edits });

/** Changes that nobody looked at while the report was mended, so that their figures show whether the rules are rules. */
export const heldOutChanges: readonly Change[] = [
  one(
    'rename',
    'a column of a fact is renamed, and two of its three readers with it',
    mart('fct_orders', 'a.net_eur,', 'a.net_eur as net_amount_eur,'),
    mart('revenue_daily', 'sum(f.net_eur)', 'sum(f.net_amount_eur)'),
  ),
  one(
    'rename',
    'a CTE gives a column another name that the last list gives back',
    intermediate('int_sessions', 'as previous_at', 'as prior_at'),
    intermediate(
      'int_sessions',
      'when previous_at is null or occurred_at - previous_at',
      'when prior_at is null or occurred_at - prior_at',
    ),
  ),
  one(
    'type',
    'an order number becomes text in one branch of a union',
    intermediate(
      'int_orders_united',
      "select order_id, customer_id, store_id, status, ordered_on, 'legacy'",
      "select cast(order_id as varchar) as order_id, customer_id, store_id, status, ordered_on, 'legacy'",
    ),
  ),
  one(
    'type',
    'a quotient loses places',
    mart('channel_returns', 'nullif(c.cost_eur, 0), 4)', 'nullif(c.cost_eur, 0), 1)'),
  ),
  one(
    'filter',
    'a subquery leaves out rows',
    staging(
      'stg_shipments',
      "from {{ source('raw', 'shipments') }}",
      "from {{ source('raw', 'shipments') }}\nwhere order_id not in (select order_id from {{ source('raw', 'refunds') }})",
    ),
  ),
  one(
    'filter',
    'one more condition, joined by or',
    mart(
      'revenue_daily',
      "where f.status <> 'cancelled'",
      "where f.status <> 'cancelled' and (f.net_eur > 10 or f.is_first_order)",
    ),
  ),
  one(
    'filter',
    'an aggregate has another filter',
    intermediate('int_refunds_by_order', "reason = 'damaged'", "reason = 'late'"),
  ),
  one(
    'filter',
    'a part of the rows is taken',
    intermediate('int_items_priced', 'using (product_id)', 'using (product_id)\nwhere i.item_id % 3 <> 0'),
  ),
  one(
    'filter',
    'a range moves',
    mart(
      'fct_web_events',
      "event_type <> 'search'",
      "event_type <> 'search' and occurred_at >= timestamp '2025-01-03'",
    ),
  ),
  one(
    'join',
    'a join asks for one more condition',
    mart('fct_sessions', 'd.customer_id = s.customer_id', "d.customer_id = s.customer_id and d.plan <> 'free'"),
  ),
  one('join', 'an outer join becomes a full one', mart('product_sales', 'left join', 'full join')),
  one(
    'join',
    'rows are kept if others exist',
    mart(
      'fct_order_items',
      'v.order_id = i.order_id\n',
      "v.order_id = i.order_id\nwhere exists (select 1 from {{ ref('stg_products') }} as s where s.product_id = i.product_id and not s.is_discontinued)\n",
    ),
  ),
  one(
    'grain',
    'a month becomes a week in a CTE',
    mart(
      'channel_returns',
      "date_trunc('month', o.ordered_on) as month_start",
      "date_trunc('week', o.ordered_on) as month_start",
    ),
  ),
  one(
    'grain',
    'payments are grouped by method too',
    intermediate('int_payments_by_order', 'group by order_id', 'group by order_id, method'),
  ),
  one(
    'dedup',
    'rows that are the same become one',
    staging(
      'stg_legacy_orders',
      'select\n    order_no + 100000 as order_id,',
      'select distinct\n    order_no // 3 + 100000 as order_id,',
    ),
  ),
  one(
    'union',
    'a branch is there twice',
    intermediate(
      'int_orders_united',
      "where status <> 'cancelled'\n",
      "where status <> 'cancelled'\n\nunion all\n\nselect order_id + 500000, customer_id, store_id, status, ordered_on, 'copy', total_amount\nfrom {{ ref('stg_legacy_orders') }}\n",
    ),
  ),
  one('union', 'a union becomes a difference', intermediate('int_orders_united', 'union all', 'except')),
  one(
    'formula',
    'a missing discount is another',
    staging('stg_order_items', 'coalesce(discount_rate, 0)', 'coalesce(discount_rate, 0.05)'),
  ),
  one(
    'formula',
    'a constant of a union is another',
    intermediate('int_orders_united', "'shop' as origin", "'web' as origin"),
  ),
  one(
    'formula',
    'a part of a date is another',
    mart('cohorts', "date_trunc('month', d.signed_up_on) as cohort", "date_trunc('quarter', d.signed_up_on) as cohort"),
  ),
  one(
    'formula',
    'a list of names in a macro call is another',
    intermediate('int_payments_by_order', "['card', 'paypal', 'invoice']", "['card', 'paypal', 'gift_card']"),
  ),
  one(
    'window',
    'ranks have gaps',
    mart('product_sales', 'qualify rank()', 'qualify dense_rank()'),
    mart('dim_products', 'dense_rank()', 'rank()'),
  ),
  one('window', 'nulls come first', mart('dim_products', 'unit_cost desc nulls last', 'unit_cost desc nulls first')),
  one('macro', 'a macro for deduplication leaves two rows', {
    file: 'macros/shop.sql',
    find: 'latest_rank = 1',
    put: 'latest_rank <= 2',
  }),
  one('macro', 'a day in the settings of the project is another', {
    file: 'dbt_project.yml',
    find: '2025-01-01',
    put: '2024-12-01',
  }),
  one('seed', 'a seed has a new row', {
    file: 'seeds/currency_rates.csv',
    find: 'BRL,2025-03-01,0.1700\n',
    put: 'BRL,2025-03-01,0.1700\nBRL,2025-04-01,0.1800\n',
  }),
  one('seed', 'a seed loses a column that one model reads', {
    file: 'seeds/order_statuses.csv',
    write: 'raw_status,status\nP,placed\nPD,paid\nSH,shipped\nDL,delivered\nRT,returned\nCX,cancelled\n',
  }),
  one('snapshot', 'a snapshot no longer has a column', {
    file: 'snapshots/customers_snapshot.sql',
    find: 'customer_name, email, country_code,',
    put: 'customer_name, email,',
  }),
  one('source', 'refunds are read from returns', staging('stg_refunds', "'refunds'", "'returns'")),
  one(
    'delete',
    'a mart of the middle is deleted, and what reads it',
    { file: 'models/marts/fct_sessions.sql', remove: true },
    { file: 'models/intermediate/int_sessions.sql', remove: true },
  ),
  one('add', 'a mart is added', {
    file: 'models/marts/refund_reasons.sql',
    write: "select reason, count(*) as refunds\nfrom {{ ref('stg_refunds') }}\ngroup by reason\n",
  }),
  one(
    'equal',
    'a macro is renamed',
    { file: 'macros/shop.sql', find: 'macro is_valid_order(', put: 'macro is_order_valid(' },
    intermediate('int_valid_orders', 'is_valid_order(', 'is_order_valid('),
  ),
  one('equal', 'a name is quoted', mart('dim_products', 'select\n    product_id,', 'select\n    "product_id",')),
  one(
    'equal',
    'using becomes on',
    intermediate('int_items_priced', 'using (product_id)', 'on p.product_id = i.product_id'),
  ),
  one(
    'equal',
    'a filter has redundant brackets, and a column its table',
    staging('stg_order_items', 'where quantity > 0', 'where ((quantity > 0))'),
  ),
  one(
    'equal',
    'an expression has another name inside of a CTE',
    mart('revenue_monthly', 'as month, sum(revenue) as revenue,', 'as month_start, sum(revenue) as revenue,'),
    mart('revenue_monthly', 'select\n    month,', 'select\n    month_start as month,'),
    mart('revenue_monthly', 'over (order by month) as growth', 'over (order by month_start) as growth'),
    mart('revenue_monthly', 'over (order by month rows', 'over (order by month_start rows'),
  ),
  one(
    'equal',
    'columns are in another order',
    mart('dim_stores', 's.store_id, s.store_name,', 's.store_name, s.store_id,'),
  ),
];
