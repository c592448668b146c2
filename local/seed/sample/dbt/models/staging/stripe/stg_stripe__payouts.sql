select
    payout_id,
    amount_cents / 100.0 as amount,
    fee_cents / 100.0 as fee,
    cast(arrived_at as date) as arrived_on
from {{ source('raw_stripe', 'payouts') }}
