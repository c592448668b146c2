{{ config(materialized='ephemeral') }}

select
    o.order_id,
    o.currency,
    coalesce(r.rate_to_eur, 1) as rate_to_eur
from {{ ref('stg_orders') }} as o
left join {{ ref('stg_currency_rates') }} as r
    on r.currency = o.currency
    and r.month_start = date_trunc('month', o.ordered_on)
