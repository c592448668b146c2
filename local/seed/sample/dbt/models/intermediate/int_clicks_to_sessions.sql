select
    k.click_id,
    k.campaign_id,
    s.session_id,
    s.customer_id,
    k.clicked_on
from {{ ref('stg_ads__clicks') }} as k
join {{ ref('int_sessions_with_views') }} as s on s.visitor_id = k.visitor_id
