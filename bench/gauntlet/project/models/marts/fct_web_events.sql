{{ config(materialized='incremental', unique_key='event_id', on_schema_change='append_new_columns') }}

select event_id, visitor_id, event_type, occurred_at, path, referrer, value
from {{ ref('stg_web_events') }}
where event_type <> 'search'
{% if is_incremental() %}
  and occurred_at > (select max(occurred_at) from {{ this }})
{% endif %}
