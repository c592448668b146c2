select
    ordered_on,
    region,
    count(*) as order_count,
    count(distinct f.customer_id) as customer_count,
    sum(f.net_eur) as revenue,
    sum(f.refunded_eur) as refunds
from {{ ref('fct_orders') }} as f
left join {{ ref('dim_stores') }} as s on s.store_id = f.store_id
where f.status <> 'cancelled'
group by ordered_on, region
