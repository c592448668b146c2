import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectorKinds } from '../../../shared/contract/vocabulary.ts';
import { platformOf } from '../../../shared/domain/lineage/names/connector.ts';
import { datasetOf } from '../../../shared/domain/lineage/names/dataset-of-node.ts';
import {
  declaredRelation,
  foldPart,
  formatRef,
  partsOfRef,
  relationOf,
  splitName,
} from '../../../shared/domain/lineage/names/relation-ref.ts';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import { connectorWith } from './connectors.ts';

const kind = fc.constantFrom(...connectorKinds);
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom('orders', 'Orders', 'ORDERS', 'Order Items', 'a.b', 'a"b', '[x]', '`', '2024', 'my-table', 'É'),
);
const name = fc.record({ text, quoted: fc.boolean() });
const namespaces: Partial<Record<(typeof connectorKinds)[number], string>> = {
  postgres: 'postgres://host:5432',
  snowflake: 'snowflake://acme',
  bigquery: 'bigquery',
};

describe('splitName', () => {
  it.each([
    ['a.b.c', ['a', 'b', 'c']],
    ['"a.b"."c""d"', ['a.b', 'c"d']],
    ['`a`.[b c].d', ['a', 'b c', 'd']],
  ])('reads %s in the platforms’ ways to quote (C-IDENTITY-2)', (written, parts) => {
    expect(splitName(written)?.map((part) => part.text)).toEqual(parts);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', '"a', 'a."b', '""', '"a"b.c'])('refuses %s', (written) => {
    expect(splitName(written)).toBeNull();
  });
});

describe('a relation_ref', () => {
  it('is read as the parts that it was made of, on every platform', () => {
    fc.assert(
      fc.property(kind, fc.array(name, { minLength: 1, maxLength: 3 }), (kind, names) => {
        const platform = platformOf({ kind, namespaces: [] });
        const parts = names.map((part) => foldPart(platform, part));
        expect(partsOfRef(platform, formatRef(platform, parts))).toEqual(parts);
      }),
    );
  });

  it('is quoted only if a part needs it (C-IDENTITY-1)', () => {
    const { ref } = declaredRelation(connectorWith(), [
      { text: 'Crm', quoted: false },
      { text: 'public', quoted: true },
      { text: 'Line Items', quoted: true },
    ]);
    expect(ref).toBe('crm.public."Line Items"');
    expect(relationOf(connectorWith({ kind: 'bigquery' }), splitName('acme-prj.ds.Events_*') ?? [])?.ref).toBe(
      'acme-prj.ds.Events_*',
    );
  });

  it('folds to itself, so that naming a relation twice changes nothing', () => {
    fc.assert(
      fc.property(kind, name, (kind, part) => {
        const platform = platformOf({ kind, namespaces: [] });
        const folded = foldPart(platform, part);
        expect(foldPart(platform, { text: folded, quoted: true })).toBe(folded);
      }),
    );
  });

  it('takes leading parts from the defaults, and keeps open what has none (C-IDENTITY-2)', () => {
    const connector = connectorWith({ kind: 'snowflake', default_database: 'analytics', default_schema: 'PUBLIC' });
    expect(relationOf(connector, splitName('orders') ?? [])?.ref).toBe('ANALYTICS.PUBLIC.ORDERS');
    expect(relationOf(connectorWith(), splitName('public.orders') ?? [])).toBeNull();
    expect(declaredRelation(connectorWith(), splitName('public.orders') ?? []).ref).toBe('public.orders');
    const mysql = connectorWith({ kind: 'mysql', default_database: 'shop' });
    expect(relationOf(mysql, splitName('orders') ?? [])?.ref).toBe('shop.orders');
  });
});

it('exports a relation under a name that leads back to it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('postgres', 'snowflake', 'bigquery'),
      fc.array(name, { minLength: 3, maxLength: 3 }),
      (kind, names) => {
        const owner = connectorWith({ kind, namespaces: [namespaces[kind] ?? ''] });
        const node = declaredRelation(owner, names);
        const dataset = datasetOf(owner, node);
        expect(dataset && resolveDataset([owner], { ...dataset, symlinks: [] })).toEqual({ node, aliases: [] });
      },
    ),
  );
});

it.each([
  ['arn:aws:glue:region:1', 'athena', 'catalog.core.accounts', 'table/core/accounts'],
  ['azurecosmos://acc.example.test/dbs/core', 'other', 'core.accounts', 'colls/accounts'],
] as const)('exports under %s in the name style of the namespace', (namespace, kind, ref, exported) => {
  const owner = connectorWith({
    kind,
    namespaces: [namespace],
    default_database: kind === 'athena' ? 'catalog' : null,
  });
  const node = { kind: 'relation', connectorId: owner.id, ref } as const;
  const dataset = datasetOf(owner, node);
  expect(dataset?.name).toBe(exported);
  expect(dataset && resolveDataset([owner], { ...dataset, symlinks: [] }).node).toEqual(node);
});
