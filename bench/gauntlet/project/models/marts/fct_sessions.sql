select
    s.visitor_id || '-' || s.session_number as session_key,
    s.started_at,
    s.event_count,
    s.purchase_count > 0 as has_purchase,
    coalesce(s.referrer, 'direct') as referrer,
    s.total_value,
    d.region
from {{ ref('int_sessions') }} as s
left join {{ ref('dim_customers') }} as d on d.customer_id = s.customer_id
