with source as (
    select * from {{ source('raw', 'customers') }}
),

cleaned as (
    select
        id as customer_id,
        nullif(trim(full_name), '') as customer_name,
        lower(trim(email)) as email,
        coalesce(country, 'XX') as country_code,
        cast(signed_up_at as date) as signed_up_on,
        updated_at,
        coalesce(is_subscribed, false) as is_subscribed,
        referred_by as referrer_id,
        lower(nullif(plan, '')) as plan
    from source
)

select * from cleaned
