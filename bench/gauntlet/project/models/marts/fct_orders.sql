select
    o.order_id,
    o.customer_id,
    o.store_id,
    o.status,
    o.payment_state,
    o.origin,
    o.ordered_on,
    o.item_count,
    a.currency,
    a.net_eur,
    a.paid_eur,
    a.refunded_eur,
    a.net_eur - a.refunded_eur as kept_eur,
    c.order_number,
    c.order_number = 1 as is_first_order
from {{ ref('int_orders_enriched') }} as o
inner join {{ ref('int_order_amounts_eur') }} as a on a.order_id = o.order_id
left join {{ ref('int_customer_orders') }} as c on c.order_id = o.order_id
