select carrier, avg(days_in_transit) as average_days, count(order_id) as shipments
from {{ ref('fct_shipments') }}
group by carrier
