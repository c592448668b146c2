select
    landing_page,
    count(session_id) as sessions,
    count(distinct customer_id) as customers,
    sum(views) as views
from {{ ref('fct_sessions') }}
group by landing_page
