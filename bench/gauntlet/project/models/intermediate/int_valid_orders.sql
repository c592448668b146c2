{{ config(materialized='ephemeral') }}

select order_id, customer_id, store_id, status, ordered_on, origin, net_amount
from {{ ref('int_orders_enriched') }}
where {{ is_valid_order('status') }}
