select
    view_id,
    session_id,
    path,
    viewed_at
from {{ source('raw_web', 'page_views') }}
