select
    id as product_id,
    coalesce(sku, 'NO-SKU-' || id) as sku,
    coalesce(lower(category), 'none') as category,
    {{ cents_to_amount('cost_cents') }} as unit_cost,
    json_extract_string(attributes, '$.color') as color,
    cast(json_extract(attributes, '$.size') as integer) as size,
    json_extract_string(attributes, '$.tags[0]') as first_tag,
    launched_on,
    is_discontinued
from {{ source('raw', 'products') }}
