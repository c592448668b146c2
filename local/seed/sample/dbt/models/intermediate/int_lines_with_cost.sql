select
    l.line_id,
    l.product_id,
    l.ordered_on,
    p.category,
    l.line_total,
    l.quantity * p.cost as line_cost,
    l.line_total - l.quantity * p.cost as margin
from {{ ref('int_order_lines_priced') }} as l
join {{ ref('stg_shop__products') }} as p on p.product_id = l.product_id
