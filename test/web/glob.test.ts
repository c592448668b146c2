import { expect, it } from 'vitest';
import { scopeGlobs } from '../../shared/domain/lineage/policy/glob.ts';
import { fitsScope } from '../../web/src/parts/glob.ts';

it('reads the patterns of a scope as the service does', () => {
  const names = ['shop.raw_stripe', 'shop.raw_stripe.charges', 'Shop.Staging', 'shop', 'shop.rawx', 'a*b', ''];
  const globs = [
    'shop',
    'SHOP.raw*',
    '*.raw_stripe',
    'shop.raw?stripe',
    '*',
    '"shop".staging',
    'sh',
    'shop.*.charges',
    '',
  ];
  for (const glob of [...globs, 'shop.raw[_x]stripe', 'shop.[a'])
    for (const name of names)
      expect([glob, name, fitsScope(glob, name)]).toEqual([glob, name, scopeGlobs([glob])(name)]);
});
