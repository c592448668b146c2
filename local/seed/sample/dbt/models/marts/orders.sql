with paid as (
    select order_id, sum(amount) as amount
    from {{ ref('stg_payments') }}
    group by order_id
)

select
    o.order_id,
    o.customer_id,
    o.ordered_on,
    coalesce(p.amount, 0) as amount
from {{ ref('stg_orders') }} as o
left join paid as p on p.order_id = o.order_id
