select
    s.session_id,
    s.visitor_id,
    s.customer_id,
    s.landing_page,
    s.started_at,
    count(v.view_id) as views
from {{ ref('stg_web__sessions') }} as s
left join {{ ref('stg_web__page_views') }} as v on v.session_id = s.session_id
group by s.session_id, s.visitor_id, s.customer_id, s.landing_page, s.started_at
