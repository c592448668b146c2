select
    refunded_on as day,
    reason,
    sum(refunded_amount) as refunded,
    avg(refunded_share) as average_share
from {{ ref('fct_refunds') }}
group by refunded_on, reason
