select
    ordered_on as day,
    sum(amount) as revenue,
    count(distinct customer_id) as buyers
from {{ ref('orders') }}
group by ordered_on
