select
    c.customer_id,
    c.customer_name,
    c.email,
    c.country_code,
    coalesce(n.country_name, 'Elsewhere') as country_name,
    coalesce(n.region, 'OTHER') as region,
    c.signed_up_on,
    c.is_subscribed,
    c.plan,
    r.customer_name as referrer_name
from {{ ref('int_customers_latest') }} as c
left join {{ ref('countries') }} as n on n.code = c.country_code
left join {{ ref('int_customers_latest') }} as r on r.customer_id = c.referrer_id
