select
    paid_on,
    currency,
    count(payment_id) as payments,
    sum(amount) as amount_total,
    sum(net_amount) as net_total
from {{ ref('fct_payments') }}
group by paid_on, currency
