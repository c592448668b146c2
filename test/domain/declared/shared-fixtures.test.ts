import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Declared } from '../../../shared/domain/declared/declared.ts';
import type { DeclaredDocument } from '../../../shared/domain/declared/read-declared.ts';
import { datasetOf } from '../../../shared/domain/identity/dataset-of-node.ts';
import type { Connector } from '../../../shared/domain/lineage/connector.ts';
import type { Node } from '../../../shared/domain/lineage/node.ts';
import { connectorWith } from '../identity/connectors.ts';
import { declare, scopeOf } from './declare.ts';

const fixtures = new URL('../../../../shared/fixtures/', import.meta.url);
const warehouse = connectorWith({ id: 'warehouse', namespaces: ['postgres://db.example.test:5432'] });
const duck = connectorWith({ id: 'duck', kind: 'duckdb', namespaces: ['duckdb://acme'] });
const connectors = [warehouse, duck];

type Pairs = readonly (readonly [string, string])[];
type Expected = {
  readonly table_edges: Pairs;
  readonly column_edges?: Readonly<Record<string, readonly string[]>> | readonly unknown[];
  readonly relations?: { readonly embedded_not_materialised?: readonly string[] };
  readonly undeclared_relations_read_in_sql?: readonly string[];
  readonly depends_on_vs_sql?: Readonly<Record<string, { readonly only_sql: readonly string[] }>>;
  readonly column_errors?: Readonly<Record<string, unknown>>;
};

describe.skipIf(!existsSync(fixtures))('exports that the real tools made', () => {
  const found = existsSync(fixtures) ? fixturePaths() : [];

  it.each(found)('%s: the same table edges', async (kind, path) => {
    const { declared, expected } = await load(kind, path);
    expect([...tablesOf(declared)].sort()).toEqual([...wantedTables(expected)].sort());
  });

  it.each(found.filter(([kind]) => kind !== 'datahub'))(
    '%s: the columns that another implementation finds',
    async (kind, path) => {
      const { declared, expected } = await load(kind, path);
      const wanted = wantedColumns(expected);
      if (wanted.size === 0) return;
      const covered = new Set([...wanted].map((edge) => relationOfTarget(edge)));
      const got = [...columnsOf(declared)].filter((edge) => covered.has(relationOfTarget(edge)));
      const hits = got.filter((edge) => wanted.has(edge)).length;
      expect(hits / got.length).toBeGreaterThanOrEqual(0.99);
      expect(hits / wanted.size).toBeGreaterThanOrEqual(0.97);
    },
  );
});

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

async function load(kind: string, path: string): Promise<{ declared: Declared; expected: Expected }> {
  const expected = readJson(`${path}expected.json`);
  const given = readJson(kind === 'dbt' ? `${path}manifest.json` : `${path}json`);
  const dialect = given.dialect ?? given.metadata?.adapter_type;
  const documents: Record<string, DeclaredDocument> = {
    dbt: { kind: 'dbt_manifest', manifest: given },
    sqlmesh: { kind: 'sqlmesh_project', project: given },
    datahub: { kind: 'datahub_catalog', export: given },
  };
  const document = documents[kind];
  if (!document) throw new Error('a fixture of an unknown kind');
  const declared = await declare(scopeOf(dialect === 'duckdb' ? duck : warehouse, connectors), document);
  return { declared, expected };
}

function readJson(path: string) {
  const file = new URL(path, fixtures);
  const zipped = new URL(`${path}.gz`, fixtures);
  return JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(zipped)).toString());
}

const plain = (name: string): string => name.replaceAll(/["`]/g, '').toLowerCase();

/** A node under the name that an export gives it. */
function nameOf(node: Node): string {
  const owner: Connector | undefined =
    node.kind === 'relation' ? connectors.find(({ id }) => id === node.connectorId) : undefined;
  return plain(datasetOf(owner ?? null, node)?.name ?? '');
}

const tablesOf = ({ derivations }: Declared): Set<string> =>
  new Set(
    derivations
      .filter(({ output }) => output.kind !== 'exposure')
      .flatMap(({ inputs, output }) => inputs.map((input) => `${nameOf(input)} -> ${nameOf(output)}`))
      .filter((edge) => edge.split(' -> ')[0] !== edge.split(' -> ')[1]),
  );

const columnsOf = ({ derivations }: Declared): Set<string> =>
  new Set(
    derivations.flatMap(({ columns, output }) =>
      columns
        .filter(({ type }) => type === 'DIRECT')
        .map(
          (one) =>
            `${nameOf(one.input)}.${plain(one.inputColumn)} -> ${nameOf(output)}.${plain(one.outputColumn ?? '')}`,
        ),
    ),
  );

const relationOfName = (name: string): string =>
  plain(/^urn:li:dataset:\(urn:li:dataPlatform:[^,]+,(.+),[^,]+\)$/.exec(name)?.[1] ?? name);

function wantedTables(expected: Expected): Set<string> {
  const left = leftOut(expected);
  const pairs = expected.table_edges.map(([from, to]) => [relationOfName(from), relationOfName(to)] as const);
  return new Set(
    throughEmbedded(pairs, (name) => left.embedded.has(name))
      .filter(([from, to]) => from !== to && !left.undeclared.has(from))
      .map((edge) => edge.join(' -> ')),
  );
}

/**
 * Not wanted: reads of a relation itself, which are no edges, and all columns of a statement that reads what is not
 * declared, which are not guessed.
 */
function wantedColumns(expected: Expected): Set<string> {
  const left = leftOut(expected);
  const pairs = Object.entries(expected.column_edges ?? {}).flatMap(([target, sources]) =>
    (sources as string[]).map(
      (source) => [plain(source).replace('::', '.'), plain(target).replace('::', '.')] as const,
    ),
  );
  return new Set(
    throughEmbedded(pairs, (column) => left.embedded.has(relationOfColumn(column)))
      .filter(
        ([from, to]) => relationOfColumn(from) !== relationOfColumn(to) && !left.unmapped.has(relationOfColumn(to)),
      )
      .map((edge) => edge.join(' -> ')),
  );
}

const relationOfColumn = (column: string): string => column.slice(0, column.lastIndexOf('.'));
const relationOfTarget = (edge: string): string => relationOfColumn(edge.split(' -> ')[1] ?? '');

function leftOut(expected: Expected) {
  const undeclared = new Set((expected.undeclared_relations_read_in_sql ?? []).map(plain));
  const readers = Object.entries(expected.depends_on_vs_sql ?? {}).filter(([, { only_sql }]) =>
    only_sql.some((name) => undeclared.has(plain(name))),
  );
  return {
    undeclared,
    embedded: new Set((expected.relations?.embedded_not_materialised ?? []).map(plain)),
    unmapped: new Set(readers.map(([name]) => plain(name))),
  };
}

/** An embedded model is inlined where it is used: its users depend on what it depends on. */
function throughEmbedded(pairs: Pairs, isEmbedded: (name: string) => boolean): Pairs {
  const sourcesOf = (name: string): string[] =>
    isEmbedded(name) ? pairs.filter(([, to]) => to === name).flatMap(([from]) => sourcesOf(from)) : [name];
  return pairs
    .filter(([, to]) => !isEmbedded(to))
    .flatMap(([from, to]) => sourcesOf(from).map((source) => [source, to] as const));
}
