select
    customer_id,
    order_id,
    ordered_on,
    net_amount,
    row_number() over (partition by customer_id order by ordered_on, order_id) as order_number,
    lag(ordered_on) over (partition by customer_id order by ordered_on, order_id) as previous_ordered_on,
    sum(net_amount) over (
        partition by customer_id order by ordered_on, order_id
        rows between unbounded preceding and current row
    ) as running_amount
from {{ ref('int_orders_enriched') }}
where customer_id is not null
