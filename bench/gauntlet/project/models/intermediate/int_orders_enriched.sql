with orders as (
    select * from {{ ref('int_orders_united') }}
),

totals as (
    select * from {{ ref('int_order_totals') }}
),

payments as (
    select * from {{ ref('int_payments_by_order') }}
),

refunds as (
    select * from {{ ref('int_refunds_by_order') }}
),

joined as (
    select
        orders.order_id,
        orders.customer_id,
        orders.store_id,
        orders.status,
        orders.ordered_on,
        orders.origin,
        coalesce(totals.net_amount, orders.legacy_amount, 0) as net_amount,
        coalesce(totals.item_count, 0) as item_count,
        coalesce(payments.paid_amount, 0) as paid_amount,
        coalesce(refunds.refunded_amount, 0) as refunded_amount,
        case
            when coalesce(refunds.refunded_amount, 0) > 0 then 'refunded'
            when coalesce(payments.paid_amount, 0) >= coalesce(totals.net_amount, 0) then 'settled'
            when payments.paid_amount is null then 'unpaid'
            else 'partly_paid'
        end as payment_state
    from orders
    left join totals on totals.order_id = orders.order_id
    left join payments on payments.order_id = orders.order_id
    left join refunds on refunds.order_id = orders.order_id
)

select * from joined
