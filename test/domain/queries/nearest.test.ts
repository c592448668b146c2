import { describe, expect, it } from 'vitest';
import { alike, nearest } from '../../../shared/domain/lineage/names/nearest.ts';

const names = [
  'crm.core.orders',
  'crm.core.stg_orders',
  'crm.raw.orders',
  'crm.raw.extra',
  'a.b.o1',
  'crm.core.dev_only',
  "postgres://nobody's.test:5432/a.b.c",
  'crm.x.hub',
  'file//data/orders_clean',
];

describe('the names like one that was misspelt', () => {
  it.each([
    ['ordrs', ['crm.core.orders', 'crm.core.stg_orders', 'crm.raw.orders', 'file//data/orders_clean']],
    ['odres', ['crm.core.orders', 'crm.core.stg_orders', 'crm.raw.orders', 'file//data/orders_clean']],
    [
      'raw.ordrs',
      ['crm.raw.orders', 'crm.raw.extra', 'crm.core.orders', 'crm.core.stg_orders', 'file//data/orders_clean'],
    ],
    ['CRM.RAW.NOPE', ['crm.raw.extra', 'crm.raw.orders']],
    ['prod.crm.x.hub', ['crm.x.hub']],
    ['hu', ['crm.x.hub']],
    ['nothing.there', []],
    ['x.y.z', []],
    ['qqqqq', []],
  ])(
    'of %s resemble it in their own part or share its leading parts, the likest first (C-IDENTITY-12)',
    (query, expected) => {
      expect(alike(query, names)).toEqual(expected);
      expect(alike(query, names, 1)).toEqual(expected.slice(0, 1));
    },
  );
});

it('lists choices in the order of their likeness, all of them', () => {
  expect(nearest('crm.raw.order', names, 100)).toHaveLength(names.length);
  expect(nearest('crm.raw.order', names, 2)).toEqual(['crm.raw.orders', 'crm.core.orders']);
});
