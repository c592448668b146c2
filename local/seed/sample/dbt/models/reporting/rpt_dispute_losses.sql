select dispute_status, count(*) as disputes, sum(disputed_amount) as at_risk
from {{ ref('fct_disputes') }}
group by dispute_status
