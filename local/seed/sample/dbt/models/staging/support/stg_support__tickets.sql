select
    ticket_id,
    customer_id,
    order_id,
    channel,
    priority,
    opened_at,
    solved_at
from {{ source('raw_support', 'tickets') }}
