select return_id, line_id, product_id, returned_total, reason, returned_on
from {{ ref('int_lines_returned') }}
