select
    c.customer_id,
    c.orders,
    c.paid_total,
    avg(t.score) as satisfaction
from {{ ref('dim_customers') }} as c
left join {{ ref('fct_tickets') }} as t on t.customer_id = c.customer_id
group by c.customer_id, c.orders, c.paid_total
