select payout_id, arrived_on, amount as payout_amount, fee as payout_fee
from {{ ref('stg_stripe__payouts') }}
