select
    product_id,
    warehouse,
    quantity,
    counted_on,
    row_number() over (partition by product_id, warehouse order by counted_on desc) as recency
from {{ ref('stg_shop__stock_levels') }}
