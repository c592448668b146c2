select channel, priority, count(ticket_id) as tickets, avg(hours_to_solve) as hours, avg(score) as score
from {{ ref('fct_tickets') }}
group by channel, priority
