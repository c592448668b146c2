select
    l.line_id,
    l.order_id,
    l.product_id,
    o.customer_id,
    o.ordered_on,
    l.quantity,
    l.quantity * l.price - l.discount as line_total
from {{ ref('stg_shop__order_lines') }} as l
join {{ ref('stg_orders') }} as o on o.order_id = l.order_id
