select id as store_id, name as store_name, coalesce(country, 'XX') as country_code, kind as store_kind, opened_on
from {{ source('raw', 'stores') }}
