with months as (
    select date_trunc('month', ordered_on) as month, sum(revenue) as revenue, sum(order_count) as order_count
    from {{ ref('revenue_daily') }}
    group by 1
)

select
    month,
    revenue,
    order_count,
    revenue - lag(revenue) over (order by month) as growth,
    sum(revenue) over (order by month rows between 1 preceding and current row) as two_months
from months
