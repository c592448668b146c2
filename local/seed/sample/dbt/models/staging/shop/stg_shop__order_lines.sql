select
    line_id,
    order_id,
    product_id,
    quantity,
    price_cents / 100.0 as price,
    discount_cents / 100.0 as discount
from {{ source('raw_shop', 'order_lines') }}
