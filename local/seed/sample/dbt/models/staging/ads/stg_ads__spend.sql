select
    campaign_id,
    day,
    spend_cents / 100.0 as spend,
    impressions
from {{ source('raw_ads', 'spend') }}
