select
    refund_id,
    charge_id,
    amount_cents / 100.0 as amount,
    reason,
    cast(refunded_at as date) as refunded_on
from {{ source('raw_stripe', 'refunds') }}
