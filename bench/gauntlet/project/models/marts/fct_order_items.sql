select
    i.item_id,
    i.order_id,
    i.product_id,
    i.category,
    i.quantity,
    i.net_amount,
    i.net_amount - i.cost_amount as margin,
    v.ordered_on,
    v.store_id
from {{ ref('int_items_priced') }} as i
inner join {{ ref('int_valid_orders') }} as v on v.order_id = i.order_id
