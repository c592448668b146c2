select
    order_id,
    count(*) as payment_count,
    sum(amount) as paid_amount,
    {{ sum_when('method', ['card', 'paypal', 'invoice'], 'amount') }},
    min(paid_at) as first_paid_at
from {{ ref('stg_payments') }}
where state = 'ok'
group by order_id
