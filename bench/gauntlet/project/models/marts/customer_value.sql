select
    d.customer_id,
    d.region,
    d.plan,
    count(o.order_id) as order_count,
    coalesce(sum(o.net_amount), 0) as lifetime_amount,
    max(o.ordered_on) as last_ordered_on,
    case
        when coalesce(sum(o.net_amount), 0) > 1500 then 'gold'
        when coalesce(sum(o.net_amount), 0) > 500 then 'silver'
        else 'bronze'
    end as tier
from {{ ref('dim_customers') }} as d
left join {{ ref('int_valid_orders') }} as o on o.customer_id = d.customer_id
group by all
