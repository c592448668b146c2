select
    id as payment_id,
    order_id,
    lower(method) as method,
    {{ cents_to_amount('amount_cents') }} as amount,
    state,
    paid_at
from {{ source('raw', 'payments') }}
where state <> 'failed'
