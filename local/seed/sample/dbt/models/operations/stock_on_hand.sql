select product_id, warehouse, quantity as on_hand, counted_on
from {{ ref('int_stock_latest') }}
where recency = 1
