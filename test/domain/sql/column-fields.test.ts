import { beforeAll, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import type { SqlParser } from '../../../shared/domain/lineage/sql/types.ts';

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const sourcesOf = (dialect: SqlDialect, expression: string, from = 's.events e') => {
  const sql = `select ${expression} as v from ${from}`;
  const { outputs } = analyseSql(parser, sql, { dialect, columnsOf: () => null });
  return [
    ...new Set(outputs[0]?.sources.map(({ column, field }) => (field === undefined ? column : `${column}:${field}`))),
  ].sort();
};

it.each<[SqlDialect, string, ...string[]]>([
  ['trino', "json_extract_scalar(properties, '$.total')", 'properties:total'],
  ['trino', "cast(json_extract(e.properties, '$.cart.size') as bigint)", 'properties:cart.size'],
  ['trino', "json_value(properties, 'lax $.total')", 'properties:total'],
  ['trino', `json_extract_scalar(properties, '$["cart"]["size"]')`, 'properties:cart.size'],
  ['trino', "json_extract_scalar(json_parse(properties), '$.items[0].sku')", 'properties:items.0.sku'],
  ['duckdb', "properties ->> 'total'", 'properties:total'],
  ['duckdb', "json_extract_string(properties, '$.cart.size')", 'properties:cart.size'],
  ['duckdb', 'e.properties.total', 'properties:total'],
  ['duckdb', "properties['cart']['size']", 'properties:cart.size'],
  ['postgres', "properties -> 'cart' ->> 'size'", 'properties:cart.size'],
  ['postgres', "properties #>> '{cart,size}'", 'properties:cart.size'],
  ['postgres', "(properties::jsonb) ->> 'total'", 'properties:total'],
  ['snowflake', 'properties:cart.size::float', 'properties:cart.size'],
  ['snowflake', 'parse_json(properties):total', 'properties:total'],
  ['snowflake', "get_path(properties, 'cart.size')", 'properties:cart.size'],
  ['bigquery', "json_value(properties, '$.total')", 'properties:total'],
  ['bigquery', 'string(properties.total)', 'properties:total'],
  ['redshift', "json_extract_path_text(properties, 'cart', 'size')", 'properties:cart.size'],
  ['databricks', 'properties:cart.size::string', 'properties:cart.size'],
  ['databricks', "get_json_object(properties, '$.total')", 'properties:total'],
  ['clickhouse', "JSONExtractString(properties, 'cart', 'size')", 'properties:cart.size'],
  ['trino', "coalesce(json_extract_scalar(a, '$.x'), json_extract_scalar(b, '$.y'))", 'a:x', 'b:y'],
  ['trino', "json_extract_scalar(properties, '$.total') || properties", 'properties', 'properties:total'],
  ['trino', 'json_extract_scalar(properties, path)', 'path', 'properties'],
])('%s reads of %s the field that its path names (C-COLUMNS-13)', (dialect, expression, ...sources) => {
  expect(sourcesOf(dialect, expression)).toEqual(sources);
});

it('keeps the path through queries that pass the column on', () => {
  const from = '(select properties as p from s.events) e';
  expect(sourcesOf('trino', "json_extract_scalar(p, '$.total')", from)).toEqual(['properties:total']);
});
