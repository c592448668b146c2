select
    d.paid_on as day,
    sum(d.net_total) as earned,
    sum(p.payout_amount) as paid_out,
    sum(p.payout_fee) as fees
from {{ ref('payments_by_day') }} as d
left join {{ ref('fct_payouts') }} as p on p.arrived_on = d.paid_on
group by d.paid_on
