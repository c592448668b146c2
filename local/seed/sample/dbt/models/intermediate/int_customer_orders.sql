select
    c.customer_id,
    c.country,
    c.signed_up_at,
    count(o.order_id) as orders,
    min(o.ordered_on) as first_order_on,
    max(o.ordered_on) as last_order_on
from {{ ref('stg_customers') }} as c
left join {{ ref('stg_orders') }} as o on o.customer_id = c.customer_id
group by c.customer_id, c.country, c.signed_up_at
