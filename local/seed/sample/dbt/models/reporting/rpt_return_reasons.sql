select reason, count(return_id) as returns, sum(returned_total) as returned
from {{ ref('fct_returns') }}
group by reason
