with ordered as (
    select
        event_id,
        visitor_id,
        event_type,
        occurred_at,
        referrer,
        customer_id,
        value,
        lag(occurred_at) over (partition by visitor_id order by occurred_at, event_id) as previous_at
    from {{ ref('stg_web_events') }}
),

marked as (
    select
        *,
        sum(case when previous_at is null or occurred_at - previous_at > interval '2 days' then 1 else 0 end)
            over (partition by visitor_id order by occurred_at, event_id) as session_number
    from ordered
)

select
    visitor_id,
    session_number,
    min(occurred_at) as started_at,
    max(occurred_at) as ended_at,
    count(*) as event_count,
    count(*) filter (where event_type = 'purchase') as purchase_count,
    max(customer_id) as customer_id,
    min(referrer) as referrer,
    sum(value) as total_value
from marked
group by visitor_id, session_number
