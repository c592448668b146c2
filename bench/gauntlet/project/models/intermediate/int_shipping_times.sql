select
    s.shipment_id,
    s.order_id,
    s.carrier,
    o.store_id,
    o.ordered_on,
    s.shipped_at,
    date_diff('hour', s.shipped_at, s.delivered_at) as hours_to_deliver,
    s.delivered_at is null as is_lost
from {{ ref('stg_shipments') }} as s
inner join {{ ref('stg_orders') }} as o on o.order_id = s.order_id
