select
    click_id,
    campaign_id,
    visitor_id,
    cast(clicked_at as date) as clicked_on
from {{ source('raw_ads', 'clicks') }}
