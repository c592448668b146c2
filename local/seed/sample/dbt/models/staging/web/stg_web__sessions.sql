select
    session_id,
    visitor_id,
    customer_id,
    landing_page,
    started_at
from {{ source('raw_web', 'sessions') }}
