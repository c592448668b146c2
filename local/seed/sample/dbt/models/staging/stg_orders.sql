select
    id as order_id,
    customer_id,
    status,
    cast(ordered_at as date) as ordered_on
from {{ source('raw', 'orders') }}
where status <> 'draft'
