import { describe, expect, it } from 'vitest';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import { matchSuffix, referencePlan } from '../../../shared/domain/lineage/names/resolve-reference.ts';
import { connectorWith } from './connectors.ts';

const connector = connectorWith({
  default_database: 'analytics',
  default_schema: 'public',
  namespaces: ['postgres://db.example.test:5432'],
});
/** The method under which the plan comes to a relation, as a store that has only that one would find it. */
const methodOf = (text: string, ref: string) =>
  referencePlan([connector], connector, text).candidates.find(({ node }) => relationRefOf(node) === ref)?.method;

describe('referencePlan', () => {
  it.each([
    ['analytics.public.orders', 'exact'],
    ['"analytics"."public"."orders"', 'exact'],
    ['ANALYTICS.PUBLIC.ORDERS', 'case_folded'],
    ['public.orders', 'default_qualified'],
    ['orders', 'default_qualified'],
    ['Orders', 'default_qualified'],
    ['postgres://db.example.test:5432/analytics.public.orders', 'exact'],
    [' analytics.public.orders ', 'exact'],
  ])('finds analytics.public.orders by %s: %s (C-IDENTITY-11)', (text, method) => {
    expect(methodOf(text, 'analytics.public.orders')).toBe(method);
  });

  it.each([
    'awsdatacatalog.core.orders',
    'core.orders',
    'AwsDataCatalog/core/orders',
    'AwsDataCatalog/core.orders',
    'arn:aws:glue:eu-west-1:1:table/core/orders',
    'arn:aws:glue:eu-west-1:1/table/core/orders',
  ])('finds a relation of the Glue catalog by %s (C-IDENTITY-18)', (text) => {
    const athena = connectorWith({ kind: 'athena', namespaces: ['arn:aws:glue:eu-west-1:1'] });
    const refs = referencePlan([athena], athena, text).candidates.map(({ node }) => relationRefOf(node));
    expect(refs).toContain('awsdatacatalog.core.orders');
  });

  it('finds a relation whose name is an address, if the platform has no rules for names', () => {
    const other = connectorWith({ kind: 'other', namespaces: ['file.localhost'] });
    const refs = referencePlan([other], other, 'file://localhost/in.txt').candidates.map(({ node }) => node);
    expect(refs).toContainEqual({ kind: 'relation', connectorId: other.id, ref: 'file://localhost/in.txt' });
  });

  it('finds a relation whose name has upper case as it is written, before the folded one', () => {
    const refs = referencePlan([connector], connector, 'analytics.public.Orders').candidates.map((one) =>
      relationRefOf(one.node),
    );
    expect(refs.slice(0, 2)).toEqual(['analytics.public."Orders"', 'analytics.public.orders']);
  });

  it.each([
    ['s3://lake/raw/orders', { kind: 'dataset', namespace: 's3://lake', name: 'raw/orders' }],
    ['file//tmp/x', { kind: 'dataset', namespace: 'file', name: '/tmp/x' }],
    ['food_delivery/public.orders', { kind: 'dataset', namespace: 'food_delivery', name: 'public.orders' }],
    ['exposure.shop.weekly', { kind: 'exposure', connectorId: 'warehouse', name: 'exposure.shop.weekly' }],
    [
      'urn:li:dataset:(urn:li:dataPlatform:kafka,orders.v1,PROD)',
      { kind: 'datahub', urn: 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders.v1,PROD)' },
    ],
  ])('tries %s as what is no relation of the connector (C-IDENTITY-5)', (text, node) => {
    expect(referencePlan([connector], connector, text).candidates.map((one) => one.node)).toContainEqual(node);
  });
});

describe('matchSuffix', () => {
  const suffix = (text: string) => referencePlan([], connector, text).suffix ?? { table: '', parts: [] };
  it('takes the one relation that ends so, and never one of several (C-IDENTITY-10)', () => {
    const refs = ['sales.eu.orders', 'sales.us.orders', 'sales.us."Orders"'];
    expect(matchSuffix(connector, suffix('eu.orders'), refs)).toEqual({
      kind: 'one',
      ref: 'sales.eu.orders',
      method: 'unique_suffix',
    });
    expect(matchSuffix(connector, suffix('us.orders'), refs)).toMatchObject({ kind: 'ambiguous' });
    expect(matchSuffix(connector, suffix('x.orders'), refs)).toEqual({ kind: 'none' });
    expect(matchSuffix(connector, suffix('Sales.eu.Orders'), refs)).toMatchObject({ method: 'case_folded' });
  });
});
