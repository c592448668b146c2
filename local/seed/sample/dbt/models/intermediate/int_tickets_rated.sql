select
    t.ticket_id,
    t.customer_id,
    t.channel,
    t.priority,
    t.opened_at,
    extract(hour from t.solved_at - t.opened_at) as hours_to_solve,
    r.score
from {{ ref('stg_support__tickets') }} as t
left join {{ ref('stg_support__ratings') }} as r on r.ticket_id = t.ticket_id
