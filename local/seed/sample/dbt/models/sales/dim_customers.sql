select
    c.customer_id,
    c.country,
    c.orders,
    c.first_order_on,
    c.last_order_on,
    p.paid_total
from {{ ref('int_customer_orders') }} as c
left join {{ ref('customer_payments') }} as p on p.customer_id = c.customer_id
