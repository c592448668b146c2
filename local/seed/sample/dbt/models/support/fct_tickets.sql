select ticket_id, customer_id, channel, priority, opened_at, hours_to_solve, score
from {{ ref('int_tickets_rated') }}
