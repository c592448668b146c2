{% snapshot customers_snapshot %}
{{ config(target_schema='history', unique_key='customer_id', strategy='timestamp', updated_at='updated_at') }}

select customer_id, customer_name, email, country_code, plan, updated_at
from {{ ref('int_customers_latest') }}

{% endsnapshot %}
