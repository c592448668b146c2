select p.payment_id, p.order_id, p.method, p.amount, p.state, cast(p.paid_at as date) as paid_on, o.customer_id
from {{ ref('stg_payments') }} as p
left join {{ ref('int_orders_united') }} as o on o.order_id = p.order_id
where p.amount is not null
