select
    c.name,
    sum(d.spend) as spend,
    sum(a.attributed_amount) as attributed,
    sum(a.attributed_amount) / nullif(sum(d.spend), 0) as return_on_spend
from {{ ref('dim_campaigns') }} as c
join {{ ref('fct_campaign_days') }} as d on d.campaign_id = c.campaign_id
left join {{ ref('fct_attribution') }} as a on a.campaign_id = c.campaign_id
group by c.name
