select p.sku, s.warehouse, s.on_hand
from {{ ref('stock_on_hand') }} as s
join {{ ref('dim_products') }} as p on p.product_id = s.product_id
where s.on_hand < 10
