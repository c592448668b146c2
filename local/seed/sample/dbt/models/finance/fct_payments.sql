select
    charge_id as payment_id,
    customer_id,
    order_id,
    captured_on as paid_on,
    currency,
    amount,
    net_amount
from {{ ref('int_charges_net_of_refunds') }}
