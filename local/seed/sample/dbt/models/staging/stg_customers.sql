select
    id as customer_id,
    md5(lower(email)) as email_hash,
    country,
    signed_up_at
from {{ source('raw', 'customers') }}
