import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Declared } from '../../../shared/domain/lineage/sources/declared/declared.ts';
import type { DeclaredDocument } from '../../../shared/domain/lineage/sources/read-body.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, scopeOf } from './declare.ts';

const fixtures = new URL('../../../../shared/fixtures/', import.meta.url);
const ownFixtures = new URL('../../fixtures/', import.meta.url);
const warehouse = connectorWith({ id: 'warehouse', namespaces: ['postgres://db.example.test:5432'] });
const duck = connectorWith({ id: 'duck', kind: 'duckdb', namespaces: ['duckdb://acme'] });
export const connectors = [warehouse, duck];

export type Pairs = readonly (readonly [string, string])[];
export type Expected = {
  readonly table_edges: Pairs;
  readonly column_edges?: Readonly<Record<string, readonly string[]>> | readonly unknown[];
  readonly relations?: { readonly embedded_not_materialised?: readonly string[] };
  readonly undeclared_relations_read_in_sql?: readonly string[];
  readonly depends_on_vs_sql?: Readonly<Record<string, { readonly only_sql: readonly string[] }>>;
  readonly column_errors?: Readonly<Record<string, unknown>>;
};

/** Kind and path of our own documents, which have no expectations. */
export const own: readonly [string, string][] = [
  ['dbt', 'dbt/crm-manifest.json'],
  ['dbt', 'dbt/shop-manifest.json'],
  ['sqlmesh', 'sqlmesh/crm-export.json'],
];

/** What our own document declares. */
export const loadOwn = (kind: string, path: string): Promise<Declared> =>
  declared(kind, JSON.parse(readFileSync(new URL(path, ownFixtures), 'utf8')));

/** Kind and path of each export that a real tool made, if the material is there. */
export const found: readonly [string, string][] = existsSync(fixtures) ? fixturePaths() : [];

function fixturePaths(): [string, string][] {
  const inFolder = (folder: string) => readdirSync(new URL(`${folder}/`, fixtures));
  const documents = (folder: string) =>
    inFolder(folder)
      .filter((file) => existsSync(new URL(`${folder}/${file.replace(/\.json$/, '')}.expected.json`, fixtures)))
      .map((file) => file.replace(/\.json$/, ''));
  return [
    ...inFolder('dbt').map((name): [string, string] => ['dbt', `dbt/${name}/`]),
    ...documents('sqlmesh').map((name): [string, string] => ['sqlmesh', `sqlmesh/${name}.`]),
    ...documents('datahub').map((name): [string, string] => ['datahub', `datahub/${name}.`]),
  ];
}

/** What an export declares, and what other implementations find in it. */
export async function load(
  kind: string,
  path: string,
  { withCatalog = false }: { readonly withCatalog?: boolean } = {},
): Promise<{ declared: Declared; expected: Expected }> {
  const expected = readJson(`${path}expected.json`);
  const provided = readJson(kind === 'dbt' ? `${path}manifest.json` : `${path}json`);
  const catalog = withCatalog ? readJson(`${path}catalog.json`) : undefined;
  return { declared: await declared(kind, provided, catalog), expected };
}

function declared(
  kind: string,
  provided: ReturnType<typeof readJson>,
  catalog?: Readonly<Record<string, unknown>>,
): Promise<Declared> {
  const dialect = provided.dialect ?? provided.metadata?.adapter_type;
  const documents: Record<string, DeclaredDocument> = {
    dbt: { kind: 'dbt_manifest', manifest: provided, catalog },
    sqlmesh: { kind: 'sqlmesh_project', project: provided },
    datahub: { kind: 'datahub_catalog', export: provided },
  };
  const document = documents[kind];
  if (!document) throw new Error('a fixture of an unknown kind');
  return declare(scopeOf(dialect === 'duckdb' ? duck : warehouse, connectors), document);
}

export const hasCatalog = (path: string): boolean =>
  [`${path}catalog.json`, `${path}catalog.json.gz`].some((file) => existsSync(new URL(file, fixtures)));

function readJson(path: string) {
  const file = new URL(path, fixtures);
  const zipped = new URL(`${path}.gz`, fixtures);
  return JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(zipped)).toString());
}
