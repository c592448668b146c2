select
    product_id,
    warehouse,
    quantity,
    cast(counted_at as date) as counted_on
from {{ source('raw_shop', 'stock_levels') }}
