select
    campaign_id,
    channel,
    name,
    budget_cents / 100.0 as budget
from {{ source('raw_ads', 'campaigns') }}
