select
    r.return_id,
    l.line_id,
    l.product_id,
    l.line_total as returned_total,
    r.reason,
    r.returned_on
from {{ ref('stg_shop__returns') }} as r
join {{ ref('int_order_lines_priced') }} as l on l.line_id = r.line_id
