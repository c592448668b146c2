select
    id as event_id,
    visitor_id,
    event_type,
    occurred_at,
    json_extract_string(payload, '$.path') as path,
    json_extract_string(payload, '$.referrer') as referrer,
    cast(json_extract(payload, '$.user.id') as integer) as customer_id,
    cast(json_extract(payload, '$.value') as integer) as value
from {{ source('raw', 'web_events') }}
