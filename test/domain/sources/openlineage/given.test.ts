import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import type { SqlParser } from '../../../../shared/domain/lineage/sql/types.ts';
import { namespace as ownNamespace } from './events.ts';
import { interpret, settledBy } from './interpret.ts';
import { type SemanticsCase, semanticsCases } from './semantics.ts';

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const shared = new URL('../../../../../shared/', import.meta.url);
const isThere = existsSync(shared);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, shared), 'utf8'));

/** Edges without what the given expectations leave out. */
const plain = (columns: readonly string[]) =>
  [...new Set(columns.map((edge) => edge.replace(/ \S+\/\S+( masked)?$/, '')))].sort();

type Edges = { tables: string[]; columns: string[] };
const inAnyOrder = (events: readonly unknown[], expected: Edges, of: (events: readonly unknown[]) => Edges) => {
  expect(of(events)).toEqual(expected);
  expect(of([...events].reverse())).toEqual(expected);
  const orders = fc.shuffledSubarray([...events, ...events.slice(0, 3)], {
    minLength: events.length + Math.min(3, events.length),
  });
  fc.assert(
    fc.property(orders, (some) => {
      expect(of(some)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
};

const provided: { readonly cases: readonly SemanticsCase[]; readonly namespace: string } = isThere
  ? read('openlineage/semantics.json')
  : { cases: [], namespace: '' };

describe.each([
  { of: 'our', namespace: ownNamespace, cases: semanticsCases },
  ...(isThere ? [{ of: 'the given', ...provided }] : []),
])('$of semantics (C-OPENLINEAGE-8)', ({ namespace, cases }) => {
  it.each(cases)('$name', ({ events, table_edges, column_edges }) => {
    const ref = (name: unknown) => `${namespace}/${name}`;
    const expected = {
      tables: table_edges.map(([from, to]) => `${ref(from)} -> ${ref(to)}`).sort(),
      columns: column_edges.map(([from, a, to, b]) => `${ref(from)}.${a} -> ${ref(to)}.${b ?? '*'}`).sort(),
    };
    inAnyOrder(events, expected, (some) => {
      const { tables, columns } = interpret(some);
      return { tables: [...tables], columns: plain(columns) };
    });
  });
});

describe.skipIf(!isThere)('the official compatibility scenarios', () => {
  type Column = {
    from: string[];
    to: string[];
    transformations: { type: string; subtype: string; masking: boolean }[];
  };
  const folder = new URL('openlineage/consumer-scenarios/', shared);
  it.each(isThere ? readdirSync(folder) : [])('%s', (scenario) => {
    const expected = read(`openlineage/consumer-scenarios/${scenario}/expected.json`);
    const files = readdirSync(new URL(`${scenario}/events/`, folder)).sort();
    const events = files.map((file) => read(`openlineage/consumer-scenarios/${scenario}/events/${file}`));
    const isValid = expected.event_validation.every((one: { core_valid: boolean }) => one.core_valid);
    expect(events.every((event) => validateEvent(event).valid)).toBe(isValid);
    const tables = expected.table_edges.map(
      ({ from, to }: { from: string[]; to: string[] }) => `${from.join('/')} -> ${to.join('/')}`,
    );
    const columns = expected.column_edges.flatMap(({ from, to, transformations }: Column) =>
      transformations.map(({ type, subtype, masking }) => {
        const ends = [from, to].map(([namespace, name, column]) => `${namespace}/${name}.${column ?? '*'}`);
        return `${ends.join(' -> ')} ${type}/${subtype}${masking ? ' masked' : ''}`;
      }),
    );
    inAnyOrder(
      events,
      isValid ? { tables: tables.sort(), columns: columns.sort() } : { tables: [], columns: [] },
      (some) => {
        const { tables: found, columns: mapped } = interpret(some);
        return { tables: [...found], columns: [...mapped] };
      },
    );
  });
});

describe.skipIf(!isThere)('recorded producers', () => {
  const folder = new URL('fixtures/openlineage/', shared);
  const recorded = isThere ? readdirSync(folder).filter((name) => !name.includes('.')) : [];
  it.each(recorded)('%s', (name) => {
    const file = new URL(`${name}/events.json`, folder);
    const text = existsSync(file)
      ? readFileSync(file)
      : gunzipSync(readFileSync(new URL(`${name}/events.json.gz`, folder)));
    const events: unknown[] = JSON.parse(text.toString());
    const expected = read(`fixtures/openlineage/${name}/expected.json`);
    expect(events.filter((event) => !validateEvent(event).valid)).toEqual([]);
    const { tables, columns } = interpret(events, undefined, settledBy(parser));
    if (name.startsWith('dbt-ol')) return expectColumnsOfManifest(name, tables, columns);
    const ref = (end = '') => end.replace('|', '/').replace('::', '.');
    const edge = ([from, to]: string[]) => `${ref(from)} -> ${ref(to)}`;
    const byFacet: string[] = expected.lineage_facet_edges_not_in_table_edges.map(edge);
    // A column map names tables that the inputs do not: sources that the producer reads under another name, and its CTEs.
    const byColumns = expected.column_edges.map((ends: string[]) => edge(ends.slice(0, 2).map(tableOf)));
    expect(tables).toEqual([...new Set([...expected.table_edges.map(edge), ...byFacet, ...byColumns])].sort());
    const direct = plain(columns.filter((one) => one.includes(' DIRECT/')));
    const withoutFacet = direct.filter((one) => !byFacet.includes(one.split(' -> ').map(tableOf).join(' -> ')));
    expect(withoutFacet).toEqual([...new Set(expected.column_edges.map(edge))].sort());
    const indirect = plain(columns.filter((one) => one.includes(' INDIRECT/'))).map((one) => one.replace(/\.\*$/, ''));
    expect(indirect.sort()).toEqual([...new Set(expected.indirect.map(edge))].sort());
  });
});

/** dbt-ol names CTEs and loses columns: what is settled by the statements is what the project's own manifest states. */
function expectColumnsOfManifest(name: string, tables: readonly string[], columns: readonly string[]): void {
  const manifest = read(`fixtures/dbt/jaffle-v1-dbt1.11-${name.replace('dbt-ol-jaffle-', '')}/expected.json`);
  const short = (end = '') => end.slice(end.lastIndexOf('/') + 1).toLowerCase();
  const expected = new Set(
    Object.entries<string[]>(manifest.column_edges).flatMap(([to, sources]) =>
      sources.map((from) => `${from} -> ${to}`.replaceAll('::', '.').toLowerCase()),
    ),
  );
  const direct = plain(columns.filter((one) => one.includes(' DIRECT/')));
  const found = new Set(direct.map((one) => one.split(' -> ').map(short).join(' -> ')));
  const isUndeclared = (one: string) => one.startsWith('erp.hardcoded_fx.');
  expect([...found].filter((one) => !expected.has(one) && !isUndeclared(one))).toEqual([]);
  // The others come by a star over columns that no event lists, from a window, or from the right side of EXCEPT.
  expect(found.size / expected.size).toBeGreaterThan(0.8);
  const isPart = (one: string) => !short(one.split(' -> ')[0]).includes('.');
  expect(tables.filter(isPart)).toEqual([]);
}

/** A column's table: what stands before `::` in the given files, before the last dot elsewhere. */
const tableOf = (column: string) => column.replace(/(::|\.)[^.:]+$/, '');
