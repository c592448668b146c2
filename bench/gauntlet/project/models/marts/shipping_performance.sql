select
    t.carrier,
    s.country_code,
    count(*) as shipments,
    count(*) filter (where t.is_lost) as lost,
    max(t.hours_to_deliver) as slowest_hours,
    median(t.hours_to_deliver) as typical_hours
from {{ ref('int_shipping_times') }} as t
left join {{ ref('dim_stores') }} as s on s.store_id = t.store_id
group by t.carrier, s.country_code
