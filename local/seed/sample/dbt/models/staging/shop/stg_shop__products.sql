select
    product_id,
    sku,
    title,
    category,
    cost_cents / 100.0 as cost
from {{ source('raw_shop', 'products') }}
