select
    product_id,
    sku,
    category,
    unit_cost,
    color,
    size,
    first_tag,
    not is_discontinued as is_sold,
    dense_rank() over (partition by category order by unit_cost desc nulls last) as cost_rank
from {{ ref('stg_products') }}
