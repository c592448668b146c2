select
    charge_id,
    customer_id,
    order_id,
    amount_cents / 100.0 as amount,
    currency,
    status,
    failure_code,
    cast(captured_at as date) as captured_on
from {{ source('raw_stripe', 'charges') }}
