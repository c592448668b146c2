import { expect, it } from 'vitest';
import { scopeName } from '../../web/src/parts/scope-name.ts';

const owners = new Map([
  ['con_1', 'warehouse'],
  ['4acac6fc', 'airflow'],
]);

it.each([
  ['connector:con_1:dbt-project:shop-dbt', 'warehouse dbt-project shop-dbt'],
  ['connector:con_1:sqlmesh-project:shop:prod', 'warehouse sqlmesh-project shop prod'],
  ['connector:con_9:dbt-project:shop-dbt', 'dbt-project shop-dbt'],
  ['provider:4acac6fc:spark://main:7077/daily', 'airflow spark://main:7077/daily'],
  ['provider:unknown:schemas', 'schemas'],
  ['s3://bucket:80/orders', 's3://bucket:80/orders'],
])('names the scope %s without an id: %s', (key, name) => {
  expect(scopeName(key, owners)).toBe(name);
});
