select
    p.sku,
    p.title,
    sum(l.line_total) as sales,
    sum(l.margin) as margin
from {{ ref('fct_order_lines') }} as l
join {{ ref('dim_products') }} as p on p.product_id = l.product_id
group by p.sku, p.title
