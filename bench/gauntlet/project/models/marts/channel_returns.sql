with revenue as (
    select o.channel, date_trunc('month', o.ordered_on) as month_start, sum(f.kept_eur) as kept_eur, count(*) as orders
    from {{ ref('stg_orders') }} as o
    inner join {{ ref('fct_orders') }} as f on f.order_id = o.order_id
    where o.channel is not null
    group by 1, 2
)

select r.channel, r.month_start, r.kept_eur, r.orders, coalesce(c.cost_eur, 0) as cost_eur,
    round(r.kept_eur / nullif(c.cost_eur, 0), 4) as return_on_spend
from revenue as r
left join {{ ref('stg_channel_costs') }} as c on c.channel = r.channel and c.month_start = r.month_start
