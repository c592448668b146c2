select
    order_id,
    sum(coalesce(refund_amount, 0)) as refunded_amount,
    count(*) filter (where reason = 'damaged') as damaged_count,
    max(refunded_on) as last_refunded_on
from {{ ref('stg_refunds') }}
group by order_id
having count(*) > 0
