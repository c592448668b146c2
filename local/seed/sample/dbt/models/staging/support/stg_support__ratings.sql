select
    rating_id,
    ticket_id,
    score,
    cast(rated_at as date) as rated_on
from {{ source('raw_support', 'ratings') }}
