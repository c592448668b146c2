select
    o.id as order_id,
    o.customer_id,
    coalesce(s.status, 'unknown') as status,
    coalesce(s.is_open, false) as is_open,
    o.ordered_at,
    cast(o.ordered_at as date) as ordered_on,
    coalesce(o.currency, 'EUR') as currency,
    o.store_id,
    lower(trim(o.channel)) as channel,
    {{ cents_to_amount('coalesce(o.discount_cents, 0)') }} as discount,
    o.note
from {{ source('raw', 'orders') }} as o
left join {{ ref('order_statuses') }} as s on s.raw_status = o.status
