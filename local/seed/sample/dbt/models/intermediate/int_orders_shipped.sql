select
    s.order_id,
    o.customer_id,
    s.carrier,
    s.shipped_at,
    s.delivered_at,
    extract(day from s.delivered_at - s.shipped_at) as days_in_transit
from {{ ref('stg_shop__shipments') }} as s
join {{ ref('stg_orders') }} as o on o.order_id = s.order_id
