import { expect, it } from 'vitest';
import { layerOf, nameOf, schemaOf } from '../../shared/contract/layers.ts';

it.each([
  ['exposure.shop.board', 'exposures'],
  ['shop.raw_stripe.charges', 'sources'],
  ['shop.SOURCE.charges', 'sources'],
  ['shop.stg.charges', 'staging'],
  ['shop.int_finance.charges', 'intermediate'],
  ['shop.internal.charges', 'marts'],
  ['shop.reporting.weekly', 'reporting'],
  ['lone', 'marts'],
  ['shop.dev_staging.charges', 'staging'],
  ['shop.ci_stg_stripe.charges', 'staging'],
  ['shop.prod_raw.charges', 'sources'],
  ['shop.alice_intermediate.charges', 'intermediate'],
  ['shop.prod_reporting.weekly', 'reporting'],
  ['shop.prod_resources.weekly', 'marts'],
] as const)('reads the layer of %s from its name: %s (C-RELATION-5)', (relation, layer) => {
  expect(layerOf(relation)).toBe(layer);
});

it('lets the first rule that fits a schema decide, with or without its database (C-RELATION-5)', () => {
  const rules = [
    { schema: 'shop.public', layer: 'sources' },
    { schema: 'pub*', layer: 'reporting' },
    { schema: 'raw', layer: 'marts' },
  ] as const;
  const layers = ['shop.public.a', 'other.PUBLIC.a', 'shop.raw.a', 'shop.raws.a'].map((one) =>
    layerOf(one, [...rules]),
  );
  expect(layers).toEqual(['sources', 'reporting', 'marts', 'sources']);
});

it('keeps a dot in a quoted part of a name', () => {
  expect([schemaOf('shop."a.b".c'), nameOf('shop."a.b"."c.d"')]).toEqual(['shop."a.b"', '"c.d"']);
});
