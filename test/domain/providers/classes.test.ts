import { expect, it } from 'vitest';
import { classOf, requireKnownTypes } from '../../../shared/domain/lineage/providers/feed.ts';

it.each([
  ['dbt_manifest', 'declared'],
  ['sqlmesh_project', 'declared'],
  ['datahub_catalog', 'catalog'],
  ['collection', 'catalog'],
  ['openlineage', 'runtime'],
  ['spark', 'runtime'],
  ['flink', 'runtime'],
  ['airflow', 'runtime'],
  ['query_log', 'query_log'],
  ['google_data_lineage', 'catalog'],
] as const)('evidence of %s is of the class %s unless its feed says otherwise (C-FEED-2)', (providerType, own) => {
  const stored = { providerInstanceId: 'pin_1', providerType } as Parameters<typeof classOf>[1];
  const feeds = (name: string) => ({ [name]: { class: 'query_log' } }) as unknown as Parameters<typeof classOf>[0];
  expect([classOf(undefined, stored), classOf(feeds('pin_2'), stored)]).toEqual([own, own]);
  expect(classOf(feeds('pin_1'), stored)).toBe('query_log');
  expect(() => requireKnownTypes(undefined, { [providerType]: 0.5 })).not.toThrow();
});

it('takes a weight of no type that evidence cannot have', () => {
  expect(() => requireKnownTypes(undefined, { airbyte: 0.5 })).toThrow();
});
