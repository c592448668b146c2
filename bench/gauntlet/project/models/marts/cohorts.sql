select
    date_trunc('month', d.signed_up_on) as cohort,
    c.order_number,
    count(distinct c.customer_id) as customers,
    sum(c.net_amount) as amount
from {{ ref('int_customer_orders') }} as c
inner join {{ ref('dim_customers') }} as d on d.customer_id = c.customer_id
group by 1, 2
