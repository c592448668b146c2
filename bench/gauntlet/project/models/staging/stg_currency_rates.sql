select currency, cast(month_start as date) as month_start, cast(rate_to_eur as decimal(10, 6)) as rate_to_eur
from {{ ref('currency_rates') }}
