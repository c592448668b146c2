select channel, cast(month_start as date) as month_start, cast(cost_eur as decimal(12, 2)) as cost_eur
from {{ ref('channel_costs') }}
