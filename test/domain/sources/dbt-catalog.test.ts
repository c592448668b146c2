import { describe, expect, it } from 'vitest';
import { type DeclaredDocument, readDeclaredBody } from '../../../shared/domain/lineage/sources/read-body.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, derivationOf, scopeOf, valueEdges } from './declare.ts';

const scope = scopeOf(connectorWith({ default_database: 'shop', default_schema: 'core' }));

const source = (columns: readonly string[] = []) => ({
  database: 'shop',
  schema: 'raw',
  identifier: 'orders',
  name: 'orders',
  columns: Object.fromEntries(columns.map((name) => [name, { name }])),
});

const model = {
  resource_type: 'model',
  database: 'shop',
  schema: 'core',
  alias: 'orders',
  config: { materialized: 'view' },
  depends_on: { nodes: ['source.shop.raw.orders'] },
  compiled_code: 'select *, amount * 2 as double from shop.raw.orders',
};

const entry = (columns: Readonly<Record<string, number>>) => ({
  metadata: { type: 'BASE TABLE' },
  columns: Object.fromEntries(
    Object.entries(columns).map(([name, index]) => [name, { name, index, type: 'TEXT', comment: null }]),
  ),
});

const document = (documented: readonly string[], catalog?: object): DeclaredDocument => ({
  kind: 'dbt_manifest',
  manifest: {
    metadata: { adapter_type: 'postgres' },
    nodes: { 'model.shop.orders': model },
    sources: { 'source.shop.raw.orders': source(documented) },
  },
  ...(catalog && { catalog: catalog as Record<string, unknown> }),
});

const catalog = { nodes: {}, sources: { 'source.shop.raw.orders': entry({ status: 2, id: 1, amount: 3 }) } };

describe('the columns that a manifest reads of its sources', () => {
  it('are those of the catalog beside it, in their order (C-COLUMNS-1, C-COLUMNS-3)', async () => {
    const declared = await declare(scope, document([], catalog));
    expect(valueEdges(declared, 'shop.core.orders')).toEqual([
      'shop.raw.orders.id -> id',
      'shop.raw.orders.status -> status',
      'shop.raw.orders.amount -> amount',
      'shop.raw.orders.amount -> double',
    ]);
    expect(derivationOf(declared, 'shop.core.orders').unresolved).toEqual([]);
    const [known] = declared.schemas.values();
    expect(known?.columns[0]).toEqual({ name: 'id', type: 'TEXT' });
  });

  it('are known in part by documentation, which leaves the star open (C-COLUMNS-4)', async () => {
    const declared = await declare(scope, document(['id']));
    expect(valueEdges(declared, 'shop.core.orders')).toContain('shop.raw.orders.id -> id');
    const reasons = derivationOf(declared, 'shop.core.orders').unresolved.map(({ reason }) => reason);
    expect(reasons).toContain('star_over_incomplete_columns');
  });

  it('are not known without either, and said so', async () => {
    const declared = await declare(scope, document([]));
    const reasons = derivationOf(declared, 'shop.core.orders').unresolved.map(({ reason }) => reason);
    expect(reasons).toContain('star_over_unknown_columns');
  });

  it.each([
    { nodes: [], sources: 'none' },
    { sources: { 'source.shop.raw.orders': { columns: [{ name: 1 }] } } },
    { metadata: {} },
  ])('are as before where the catalog is of another shape: %j', async (odd) => {
    const stated = async (read: DeclaredDocument) => {
      const { derivations, relations, schemas, unresolved } = await declare(scope, read);
      return { derivations, relations, schemas, unresolved };
    };
    expect(await stated(document(['id'], odd))).toEqual(await stated(document(['id'])));
  });
});

describe('a body with a manifest and a catalog', () => {
  const readBody = async (document: object) => {
    const read = await readDeclaredBody('dbt_manifest', [Buffer.from(JSON.stringify(document))]);
    if (!read.ok) throw new Error('the body was refused');
    return read;
  };

  it('is read item by item, each document by its own fields', async () => {
    const { kind: _, ...body } = document([], catalog);
    const { body: read } = await readBody({ workspace_id: 'w', ...body });
    expect(read).toMatchObject({ catalog: { sources: { 'source.shop.raw.orders': { columns: { id: {} } } } } });
    expect(read).not.toHaveProperty(['catalog', 'sources', 'source.shop.raw.orders', 'metadata']);
    const declared = await declare(scope, { ...(read as object), kind: 'dbt_manifest' } as DeclaredDocument);
    expect(valueEdges(declared, 'shop.core.orders')).toHaveLength(4);
  });

  it('has another digest than only the manifest, and than one with another catalog', async () => {
    const { kind: _, ...body } = document([], catalog);
    const { catalog: __, ...alone } = body as { catalog?: object };
    const other = { ...body, catalog: { ...catalog, nodes: { 'model.shop.orders': entry({ id: 1 }) } } };
    const digests = await Promise.all([body, alone, other].map(async (one) => (await readBody(one)).documentDigest));
    expect(new Set(digests).size).toBe(3);
  });
});
