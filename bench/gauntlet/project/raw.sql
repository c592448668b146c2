-- The shop's raw tables, deterministic: what arrives from outside, with what such data has: nulls, empty texts, text with
-- spaces and upper case, duplicates, negative and large amounts, days at the ends of months, and keys that match nothing.
create schema raw;

create table raw.customers as
select
  1 + i % 240 as id,
  case when i % 17 = 0 then null when i % 13 = 0 then '' else '  Customer ' || (i % 240) || case when i % 5 = 0 then ' ' else '' end end as full_name,
  case when i % 19 = 0 then null when i % 7 = 0 then upper('user' || (i % 240) || '@Shop.test') else 'user' || (i % 240) || '@shop.test' end as email,
  (['DE', 'FR', 'IT', 'US', 'BR', 'JP', 'IN', 'XX', null])[1 + (i * 5) % 9] as country,
  (date '2024-11-20' + to_days(((i % 240) * 7 % 150)::integer))::date as signed_up_at,
  timestamp '2025-01-01 00:00:00' + to_hours((i * 37 % 2400)::integer) + to_seconds(i::integer) as updated_at,
  case when i % 11 = 0 then null else i % 3 = 0 end as is_subscribed,
  case when i % 6 = 0 then null else 1 + (i * 11) % 240 end as referred_by,
  (['free', 'plus', 'pro', 'PRO', ''])[1 + (i * 3) % 5] as plan
from range(330) as numbers(i);

create table raw.customers_archive as
select * replace (case when id % 4 = 0 then 'archived' else plan end as plan) from raw.customers where id % 10 <> 0;

create table raw.orders as
select
  1000 + i as id,
  case when i % 41 = 0 then null else 1 + (i * 7 + i // 90) % 250 end as customer_id,
  (['P', 'PD', 'SH', 'DL', 'DL', 'RT', 'CX', 'ZZ'])[1 + (i * 3 + i // 11) % 8] as status,
  timestamp '2025-01-01 23:30:00' + to_minutes((i * 151)::integer) as ordered_at,
  (['EUR', 'USD', 'BRL', 'JPY', 'EUR', null])[1 + (i + i // 13) % 6] as currency,
  1 + i % 9 as store_id,
  (['ads', 'email', 'organic', 'social', 'ADS ', null])[1 + (i * 5 + i // 7) % 6] as channel,
  case when i % 23 = 0 then null when i % 29 = 0 then -500 else (i * 97) % 3000 end as discount_cents,
  case when i % 4 = 0 then null else 'NOTE-' || (i % 30) end as note
from range(900) as numbers(i);

create table raw.legacy_orders as
select
  1 + i as order_no,
  1 + (i * 3) % 240 as customer_no,
  (['delivered', 'returned', 'delivered', 'cancelled'])[1 + i % 4] as status,
  (date '2024-11-01' + to_days((i % 75)::integer))::date as day,
  1 + i % 8 as store_no,
  (i * 331) % 20000 as total_cents
from range(160) as numbers(i);

create table raw.order_items as
select
  i as id,
  1000 + (i * 13 + i // 900) % 930 as order_id,
  1 + (i * 5 + i // 17) % 62 as product_id,
  case when i % 37 = 0 then 0 when i % 53 = 0 then -1 else 1 + i % 5 end as quantity,
  case when i % 31 = 0 then null else 100 + (i * 73) % 9900 end as unit_price_cents,
  case when i % 12 = 0 then 0.25 when i % 5 = 0 then 0.1 else null end::decimal(4, 2) as discount_rate
from range(2200) as numbers(i);

create table raw.payments as
select
  5000 + i as id,
  1000 + (i * 7) % 880 as order_id,
  (['card', 'paypal', 'invoice', 'gift_card', 'CARD'])[1 + (i + i // 6) % 5] as method,
  case when i % 47 = 0 then null when i % 61 = 0 then -100 else 500 + (i * 211) % 40000 end as amount_cents,
  (['ok', 'ok', 'failed', 'ok', 'pending'])[1 + (i * 2 + i // 5) % 5] as state,
  timestamp '2025-01-02 08:00:00' + to_minutes((i * 131)::integer) as paid_at
from range(1000) as numbers(i);

create table raw.products as
select
  1 + i as id,
  case when i % 14 = 0 then null else 'SKU-' || lpad((i * 7 % 60)::varchar, 3, '0') end as sku,
  (['shoes', 'shirts', 'Hats', 'bags', null])[1 + i % 5] as category,
  case when i % 9 = 0 then null else 50 + (i * 337) % 6000 end as cost_cents,
  '{"color": "' || (['red', 'blue', 'green'])[1 + i % 3] || '", "size": ' || (36 + i % 9)
    || ', "tags": ["t' || (i % 4) || '", "t' || (i % 6) || '"], "dims": {"w": ' || (i % 7) || '.5}}' as attributes,
  (date '2024-06-01' + to_days((i * 11)::integer))::date as launched_on,
  i % 8 = 0 as is_discontinued
from range(60) as numbers(i);

create table raw.refunds as
select
  i as id,
  1000 + (i * 29) % 97 * 9 as order_id,
  case when i % 10 = 0 then null else 100 + (i * 57) % 5000 end as amount_cents,
  (['damaged', 'late', 'other', null])[1 + i % 4] as reason,
  (date '2025-01-05' + to_days((i % 95)::integer))::date as refunded_on
from range(130) as numbers(i);

create table raw.returns as
select id, order_id, amount_cents * 2 as amount_cents, coalesce(reason, 'unknown') as reason, refunded_on
from raw.refunds where id % 3 <> 0;

create table raw.web_events as
select
  i as id,
  'visitor-' || ((i * 7) % 130) as visitor_id,
  (['page', 'page', 'cart', 'checkout', 'page', 'search', 'purchase'])[1 + (i * 3 + i // 130 + (i * i) % 5) % 7] as event_type,
  timestamp '2025-01-01 06:00:00' + to_minutes((i * 17 + (i * i % 53) * 40)::integer) as occurred_at,
  '{"path": "/p/' || (i % 40) || '", "referrer": ' || case when i % 5 = 0 then 'null' else '"' || (['ads', 'email', 'social'])[1 + i % 3] || '"' end
    || ', "user": {"id": ' || (1 + (i * 7) % 130) || '}, "value": ' || (i % 300) || '}' as payload
from range(1500) as numbers(i);

create table raw.shipments as
select
  i as id,
  1000 + (i * 3) % 940 as order_id,
  (['dhl', 'ups', 'post', 'DHL'])[1 + (i + i // 9) % 4] as carrier,
  timestamp '2025-01-03 10:00:00' + to_minutes((i * 163)::integer) as shipped_at,
  case when i % 8 = 0 then null else timestamp '2025-01-03 10:00:00' + to_minutes((i * 163 + (i * 997) % 9000)::integer) end as delivered_at
from range(700) as numbers(i);

create table raw.stores as
select
  1 + i as id,
  'Store ' || (1 + i) as name,
  (['DE', 'FR', 'IT', 'US', 'BR', 'JP', 'IN', null])[1 + i] as country,
  (['flagship', 'outlet', 'web'])[1 + i % 3] as kind,
  (date '2020-01-01' + to_days((i * 200)::integer))::date as opened_on
from range(8) as numbers(i);
