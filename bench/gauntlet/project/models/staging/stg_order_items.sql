select
    id as item_id,
    order_id,
    product_id,
    quantity,
    {{ cents_to_amount('unit_price_cents') }} as unit_price,
    coalesce(discount_rate, 0) as discount_rate
from {{ source('raw', 'order_items') }}
where quantity > 0
