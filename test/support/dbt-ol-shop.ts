import { readFileSync } from 'node:fs';
import manifest from '../fixtures/dbt-ol/manifest.json' with { type: 'json' };

/**
 * A dbt project of 21 relations and 2 ephemeral models and two ephemeral models, compiled by dbt 1.10 for DuckDB, and what `dbt-ol` said of its
 * runs: with `build`, with an older version's `run`, and with `--consume-structured-logs`.
 */
export const shop = {
  manifest,
  build: () => eventsOf('build-1.54'),
  older: () => eventsOf('run-1.33'),
  structured: () => eventsOf('structured-1.54'),
};

export const shopNamespace = 'duckdb://shop.duckdb';

type Dataset = { readonly namespace: string; readonly name: string; facets: Record<string, unknown> };
type ShopEvent = {
  readonly eventTime: string;
  readonly run: { readonly runId: string };
  readonly job: { readonly name: string; readonly namespace: string; facets: Record<string, unknown> };
  readonly inputs: readonly Dataset[];
  readonly outputs: readonly Dataset[];
};

/** As if the runs had ended now: an event of the future is refused. */
function eventsOf(file: string): ShopEvent[] {
  const text = readFileSync(new URL(`../fixtures/dbt-ol/${file}.ndjson`, import.meta.url), 'utf8');
  const eventTime = new Date().toISOString();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line): ShopEvent => ({ ...JSON.parse(line), eventTime }));
}

/** The values that each column consists of, as a person reads them from the models' text. */
export const shopValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stg_customers: {
    customer_id: 'raw_customers.id',
    customer_name: 'raw_customers.name',
    email: 'raw_customers.email',
    country: 'raw_customers.country',
  },
  stg_orders: {
    order_id: 'raw_orders.id',
    customer_id: 'raw_orders.customer_id',
    amount: 'raw_orders.amount',
    status: 'raw_orders.status',
    ordered_at: 'raw_orders.ordered_at',
  },
  stg_payments: {
    payment_id: 'raw_payments.id',
    order_id: 'raw_payments.order_id',
    method: 'raw_payments.method',
    paid: 'raw_payments.amount',
  },
  orders_snapshot: {
    order_id: 'stg_orders.order_id',
    customer_id: 'stg_orders.customer_id',
    status: 'stg_orders.status',
  },
  dim_customers: {
    customer_id: 'stg_customers.customer_id',
    customer_name: 'stg_customers.customer_name',
    email: 'stg_customers.email',
    country: 'countries.label',
    spend: 'stg_orders.amount',
    orders: '',
  },
  fct_orders: {
    order_id: 'stg_orders.order_id',
    customer_id: 'stg_orders.customer_id',
    amount: 'stg_orders.amount',
    paid: 'stg_payments.paid',
    ordered_at: 'stg_orders.ordered_at',
  },
  order_events: {
    order_id: 'fct_orders.order_id fct_returns.order_id',
    customer_id: 'fct_orders.customer_id fct_returns.customer_id',
    at: 'fct_orders.ordered_at',
    kind: '',
  },
  monthly: {
    month: 'fct_orders.ordered_at',
    revenue: 'fct_orders.amount',
    buyers: 'fct_orders.customer_id',
  },
  country_sales: { country: 'dim_customers.country', sales: 'fct_orders.amount' },
  big_spenders: { customer_id: 'dim_customers.customer_id', customer_name: 'dim_customers.customer_name' },
  unreturned: { order_id: 'fct_orders.order_id', amount: 'fct_orders.amount' },
  report: { month: 'monthly.month', revenue: 'monthly.revenue', n: '' },
};

/** The columns that decide which rows some models have. */
export const shopRows: Readonly<Record<string, string>> = {
  stg_orders: 'raw_orders.status',
  dim_customers:
    'countries.code stg_customers.country stg_customers.customer_id stg_orders.customer_id stg_orders.status',
  fct_orders: 'stg_orders.order_id stg_orders.status stg_payments.order_id',
  fct_returns: 'stg_orders.order_id stg_orders.status stg_returns.order_id',
  big_spenders: 'dim_customers.spend',
  unreturned: 'fct_orders.order_id fct_returns.order_id',
  country_sales: 'dim_customers.country dim_customers.customer_id fct_orders.amount fct_orders.customer_id',
};
