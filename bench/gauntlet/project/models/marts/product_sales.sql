select
    p.product_id,
    p.sku,
    p.category,
    p.color,
    sum(i.quantity) as units,
    sum(i.net_amount) as revenue,
    sum(i.margin) as margin
from {{ ref('dim_products') }} as p
left join {{ ref('fct_order_items') }} as i on i.product_id = p.product_id
group by 1, 2, 3, 4
qualify rank() over (partition by p.category order by sum(i.net_amount) desc nulls last) <= 10
