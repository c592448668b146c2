select
    s.campaign_id,
    c.channel,
    s.day,
    s.spend,
    s.impressions
from {{ ref('stg_ads__spend') }} as s
join {{ ref('stg_ads__campaigns') }} as c on c.campaign_id = s.campaign_id
