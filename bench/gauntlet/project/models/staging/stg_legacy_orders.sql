select
    order_no + 100000 as order_id,
    customer_no as customer_id,
    status,
    day as ordered_on,
    store_no as store_id,
    {{ cents_to_amount('total_cents') }} as total_amount
from {{ source('raw', 'legacy_orders') }}
where day < date '{{ var("first_day") }}'
