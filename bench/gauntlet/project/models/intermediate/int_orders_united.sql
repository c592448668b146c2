select order_id, customer_id, store_id, status, ordered_on, 'shop' as origin, null::decimal(18, 2) as legacy_amount
from {{ ref('stg_orders') }}

union all

select order_id, customer_id, store_id, status, ordered_on, 'legacy' as origin, total_amount as legacy_amount
from {{ ref('stg_legacy_orders') }}
where status <> 'cancelled'
