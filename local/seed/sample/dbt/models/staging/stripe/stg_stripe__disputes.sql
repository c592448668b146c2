select
    dispute_id,
    charge_id,
    amount_cents / 100.0 as amount,
    status,
    opened_at
from {{ source('raw_stripe', 'disputes') }}
