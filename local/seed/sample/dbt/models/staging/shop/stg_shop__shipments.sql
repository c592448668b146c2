select
    shipment_id,
    order_id,
    carrier,
    shipped_at,
    delivered_at
from {{ source('raw_shop', 'shipments') }}
