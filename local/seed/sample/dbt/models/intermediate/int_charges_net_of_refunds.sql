with refunded as (
    select charge_id, sum(amount) as refunded
    from {{ ref('stg_stripe__refunds') }}
    group by charge_id
)

select
    c.charge_id,
    c.customer_id,
    c.order_id,
    c.captured_on,
    c.currency,
    c.amount,
    c.amount - coalesce(r.refunded, 0) as net_amount
from {{ ref('stg_stripe__charges') }} as c
left join refunded as r on r.charge_id = c.charge_id
where c.status = 'succeeded'
