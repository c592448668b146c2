select date_trunc('week', ordered_on) as week, category, sum(sales) as sales
from {{ ref('sales_by_category') }}
group by 1, category
