select
    i.item_id,
    i.order_id,
    i.product_id,
    p.category,
    i.quantity,
    i.quantity * coalesce(i.unit_price, 0) as gross_amount,
    round(i.quantity * coalesce(i.unit_price, 0) * (1 - i.discount_rate), 2) as net_amount,
    i.quantity * p.unit_cost as cost_amount
from {{ ref('stg_order_items') }} as i
left join {{ ref('stg_products') }} as p using (product_id)
