select campaign_id, channel, day, spend, impressions
from {{ ref('int_spend_by_campaign') }}
