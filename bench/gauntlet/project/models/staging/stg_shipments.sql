select
    id as shipment_id,
    order_id,
    lower(carrier) as carrier,
    shipped_at,
    delivered_at
from {{ source('raw', 'shipments') }}
