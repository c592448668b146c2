{% macro generate_schema_name(custom_schema_name, node) -%}
  {{ custom_schema_name or target.schema }}
{%- endmacro %}

{% macro cents_to_amount(column) -%}
  cast({{ column }} / 100.0 as decimal(18, 2))
{%- endmacro %}

{% macro is_valid_order(status) -%}
  {{ status }} in ({% for one in var('valid_statuses') %}'{{ one }}'{% if not loop.last %}, {% endif %}{% endfor %})
{%- endmacro %}

{% macro latest_by(relation, key, order_by) -%}
  select * exclude (latest_rank)
  from (
    select *, row_number() over (partition by {{ key }} order by {{ order_by }}) as latest_rank
    from {{ relation }}
  ) as ranked
  where latest_rank = 1
{%- endmacro %}

{% macro sum_when(column, values, amount) -%}
  {%- for value in values %}
    sum(case when {{ column }} = '{{ value }}' then {{ amount }} else 0 end) as {{ value }}_amount{% if not loop.last %},{% endif %}
  {%- endfor %}
{%- endmacro %}
