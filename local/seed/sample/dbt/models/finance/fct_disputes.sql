select charge_id, customer_id, amount, disputed_amount, dispute_status, opened_at
from {{ ref('int_charges_disputed') }}
