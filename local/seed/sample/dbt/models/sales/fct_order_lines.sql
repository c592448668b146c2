select l.line_id, l.product_id, l.ordered_on, l.category, l.line_total, l.line_cost, l.margin
from {{ ref('int_lines_with_cost') }} as l
