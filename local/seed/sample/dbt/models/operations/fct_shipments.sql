select order_id, customer_id, carrier, shipped_at, delivered_at, days_in_transit
from {{ ref('int_orders_shipped') }}
