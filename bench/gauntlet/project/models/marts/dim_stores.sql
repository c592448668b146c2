select s.store_id, s.store_name, s.store_kind, s.country_code, n.region, n.vat_rate
from {{ ref('stg_stores') }} as s
left join {{ ref('countries') }} as n on n.code = s.country_code
