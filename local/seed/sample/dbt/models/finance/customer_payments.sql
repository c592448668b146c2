select
    customer_id,
    sum(net_amount) as paid_total,
    max(paid_on) as last_paid_on
from {{ ref('fct_payments') }}
group by customer_id
