select
    o.order_id,
    r.currency,
    round(o.net_amount * coalesce(r.rate_to_eur, 1), 2) as net_eur,
    round(o.paid_amount * coalesce(r.rate_to_eur, 1), 2) as paid_eur,
    round(o.refunded_amount * coalesce(r.rate_to_eur, 1), 2) as refunded_eur
from {{ ref('int_orders_enriched') }} as o
left join {{ ref('int_order_rates') }} as r on r.order_id = o.order_id
