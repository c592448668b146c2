select campaign_id, channel, name, budget
from {{ ref('stg_ads__campaigns') }}
