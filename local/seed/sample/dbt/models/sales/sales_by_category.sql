select
    ordered_on,
    category,
    sum(line_total) as sales,
    sum(margin) as margin
from {{ ref('fct_order_lines') }}
group by ordered_on, category
