select
    k.click_id,
    k.campaign_id,
    k.clicked_on,
    p.payment_id,
    p.net_amount as attributed_amount
from {{ ref('int_clicks_to_sessions') }} as k
join {{ ref('fct_payments') }} as p on p.customer_id = k.customer_id
