select
    date_trunc('month', paid_on) as month,
    sum(amount_total) as gross,
    sum(net_total) as net
from {{ ref('payments_by_day') }}
group by 1
