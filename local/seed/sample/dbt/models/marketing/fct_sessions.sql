select session_id, customer_id, landing_page, started_at, views
from {{ ref('int_sessions_with_views') }}
