select
    order_id,
    count(*) as item_count,
    sum(quantity) as unit_count,
    sum(gross_amount) as gross_amount,
    sum(net_amount) as net_amount,
    sum(cost_amount) as cost_amount,
    max(net_amount) as largest_item
from {{ ref('int_items_priced') }}
group by order_id
