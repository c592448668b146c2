select
    c.charge_id,
    c.customer_id,
    c.amount,
    d.amount as disputed_amount,
    d.status as dispute_status,
    d.opened_at
from {{ ref('stg_stripe__disputes') }} as d
join {{ ref('stg_stripe__charges') }} as c on c.charge_id = d.charge_id
