import { describe, expect, it } from 'vitest';
import type { Node } from '../../../shared/domain/lineage/graph/node.ts';
import type { Connector } from '../../../shared/domain/lineage/names/connector.ts';
import { datasetOf } from '../../../shared/domain/lineage/names/dataset-of-node.ts';
import type { Declared } from '../../../shared/domain/lineage/sources/declared/declared.ts';
import { connectors, type Expected, found, hasCatalog, load, type Pairs } from './shared-fixtures.ts';

describe.skipIf(found.length === 0)('exports that the real tools made', () => {
  it.each(found)('%s: the same table edges', async (kind, path) => {
    const { declared, expected } = await load(kind, path);
    expect([...tablesOf(declared)].sort()).toEqual([...wantedTables(expected)].sort());
  });

  it.each(found.filter(([kind]) => kind !== 'datahub'))(
    '%s: the columns that another implementation finds',
    async (kind, path) => {
      const { declared, expected } = await load(kind, path);
      const target = wantedColumns(expected);
      if (target.size === 0) return;
      const covered = new Set([...target].map((edge) => relationOfTarget(edge)));
      const got = [...columnsOf(declared)].filter((edge) => covered.has(relationOfTarget(edge)));
      const hits = got.filter((edge) => target.has(edge)).length;
      expect(hits / got.length).toBeGreaterThanOrEqual(0.99);
      expect(hits / target.size).toBeGreaterThanOrEqual(0.97);
    },
  );

  it.each(found.filter(([kind, path]) => kind === 'dbt' && hasCatalog(path)))(
    '%s: the same columns or more with its catalog',
    async (kind, path) => {
      const plain = await load(kind, path);
      const { declared, expected } = await load(kind, path, { withCatalog: true });
      const target = wantedColumns(expected);
      const hits = (one: Declared) => [...columnsOf(one)].filter((edge) => target.has(edge)).length;
      expect(hits(declared)).toBeGreaterThanOrEqual(hits(plain.declared));
    },
  );
});

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

/** The edges of one column, with those of its windows and conditions: the other implementation tells no types. */
const columnsOf = ({ derivations }: Declared): Set<string> =>
  new Set(
    derivations.flatMap(({ columns, output }) =>
      columns
        .filter(({ outputColumn }) => outputColumn !== null)
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
