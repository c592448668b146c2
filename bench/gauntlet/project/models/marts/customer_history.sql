select
    customer_id,
    plan,
    country_code,
    dbt_valid_from as valid_from,
    dbt_valid_to as valid_to
from {{ ref('customers_snapshot') }}
where plan is not null
