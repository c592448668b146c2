{{ latest_by(ref('stg_customers'), 'customer_id', 'updated_at desc') }}
