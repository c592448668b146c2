select
    r.refund_id,
    c.customer_id,
    r.refunded_on,
    r.reason,
    r.amount as refunded_amount,
    r.amount / c.amount as refunded_share
from {{ ref('stg_stripe__refunds') }} as r
join {{ ref('stg_stripe__charges') }} as c on c.charge_id = r.charge_id
