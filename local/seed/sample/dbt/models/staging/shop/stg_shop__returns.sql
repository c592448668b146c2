select
    return_id,
    line_id,
    reason,
    cast(returned_at as date) as returned_on
from {{ source('raw_shop', 'returns') }}
