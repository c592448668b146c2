select product_id, sku, title, category, cost
from {{ ref('stg_shop__products') }}
