select
    id as refund_id,
    order_id,
    {{ cents_to_amount('amount_cents') }} as refund_amount,
    reason,
    refunded_on
from {{ source('raw', 'refunds') }}
