import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import {
  bothSeedContents,
  readSeed,
  seedConstants,
  seedContents,
} from '../../../../shared/domain/lineage/queries/diff/seed-contents.ts';
import {
  type BothContents,
  compareContents,
  unknownContents,
} from '../../../../shared/domain/lineage/sql/compare/compare-contents.ts';
import type { StatementVersion } from '../../../../shared/domain/lineage/sql/compare/compare-statements.ts';
import { nameRulesOf } from '../../../../shared/domain/lineage/sql/name-rules.ts';

const parser = await loadSqlParser();
const names = ['a', 'b', 'c'];
type Rows = readonly (readonly string[])[];
const csv = (rows: Rows) =>
  [names, ...rows].map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join()).join('\n');

const settings = { values: {}, content: 'digest', template: null, seedFile: 'one.csv' };
const node = { ...{ id: 'one', isModel: true, node: null, names: [], dependsOn: [], addedColumns: [] }, columns: null };
const model = {
  ...node,
  statement: { kind: 'none', reason: null },
  statementKind: null,
  location: '',
  settings,
} as const;
const seedOf = (rows: Rows) => {
  const seed = readSeed(() => csv(rows), nameRulesOf('duckdb'), model);
  if (!seed) throw new Error('not read');
  return seed;
};

const value = fc.constantFrom(
  'x',
  'X',
  'y',
  'w',
  'v',
  '1',
  '10',
  '01',
  't',
  'true',
  'no',
  '2025-01-01',
  '2025-1-1',
  'a"b',
);
const row = fc.tuple(value, fc.constantFrom('x', 'y'), value);
const rows = fc.array(row, { maxLength: 5, minLength: 1 });
/** Often the same rows in another order, with one value that is another. */
const twoVersions = rows.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.oneof(
      rows,
      fc
        .tuple(fc.shuffledSubarray(before, { minLength: before.length }), fc.nat(2), value)
        .map(([[first, ...rest], place, other]) => [
          ...(first ? [first.map((one, at) => (at === place ? other : one))] : []),
          ...rest,
        ]),
    ),
  ),
);

it('pairs the rows of two versions so that all columns of one label are the same in each pair (C-FILES-3)', () => {
  fc.assert(
    fc.property(twoVersions, ([before, after]) => {
      const found = bothSeedContents(seedOf(before), seedOf(after));
      const isSame = found === null || found.after.rows === 'before';
      const labels = found?.after.columns?.map(({ label }) => label) ?? names;
      const places = names.flatMap((name, place) => (labels.includes(name) ? [place] : []));
      const tuples = (all: Rows) => all.map((one) => JSON.stringify(places.map((place) => one[place]))).sort();
      if (isSame) expect(tuples(after)).toEqual(tuples(before));
      else expect(places).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('names only columns as a key that tell all rows apart, whatever type they have (C-FILES-3)', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const columnsOf = async (rows: Rows, key: readonly string[]) => {
    const values = rows.map((one) => `(${one.map((text) => `'${text}'`).join()})`).join();
    const kinds = ['varchar', 'boolean', 'integer', 'date', 'decimal(18, 3)'];
    for (const kind of kinds) {
      const equal = key.map((name) => `try_cast(p.${name} as ${kind}) = try_cast(q.${name} as ${kind})`).join(' and ');
      const table = `(values ${values}) as`;
      const read = await connection.runAndReadAll(
        `select count(*) from ${table} p(a, b, c) join ${table} q(a, b, c) on ${equal}`,
      );
      expect([key, kind, Number(read.getRows()[0]?.[0]) <= rows.length]).toEqual([key, kind, true]);
    }
  };
  let found = 0;
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const key = seedContents(seedOf(all)).key?.() ?? null;
      if (key === null) return;
      found++;
      await columnsOf(all, key);
    }),
    { numRuns: 200 },
  );
  expect(found).toBeGreaterThan(20);
});

const readers = [
  'select a.k, s.b from a left join seed s on s.a = a.s',
  "select a.k from a left join seed s on s.a = a.s where s.b = 'x'",
  "select a.k from a left join seed s on s.a = a.s where coalesce(s.b, 'none') <> 'x'",
  "select a.k from a left join seed s on a.s = s.a where s.b in ('x', 'z') or s.b is null",
  "select k from (select k, s.b from a left join seed s on s.a = a.s union all select k, s from a) u where b <> 'y'",
  "select count(*) as n, max(s.c) as c from a left join seed s on s.a = a.s where coalesce(s.b, 'x') = 'x'",
  'select count(*) as n from a left join seed s on s.a = a.s and s.b = a.s',
  'select a.k, s.c from a join seed s on s.a = a.s',
];

it('proves of readers of a seed that two versions give them the same only if execution agrees (C-FILES-3)', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const texts = ['x', 'X', 'y', 'w', '1', '10', 't', 'no', 'zz'];
  await connection.run(
    `create table a as select row_number() over () as k, s from (values ${texts.map((one) => `('${one}')`).join()}, (null)) t(s)`,
  );
  const resultOf = async (rows: Rows, statement: string) => {
    const values = rows.map((one) => `(${one.map((text) => `'${text}'`).join()})`).join();
    const read = await connection.runAndReadAll(
      `with seed as (select * from (values ${values}) t(a, b, c)) select * from (${statement}) order by all`,
    );
    return JSON.stringify(read.getRows().map((one) => one.map(String)));
  };
  const key = fc.constantFrom('x', 'y', 'w', 'zz', 'gone', '1');
  const tuples = fc.uniqueArray(fc.tuple(key, fc.constantFrom('x', 'y', 'z'), fc.constantFrom('x', 'y')), {
    minLength: 1,
    maxLength: 4,
    selector: ([one]) => one,
  });
  const changed = tuples.chain((before) =>
    fc.tuple(
      fc.constant(before),
      fc.oneof(
        tuples,
        fc
          .tuple(fc.nat(before.length - 1), fc.constantFrom('x', 'y', 'z'))
          .map(([place, other]) => before.map(([a, b, c], at) => [a, at === place ? other : b, c] as const)),
      ),
    ),
  );
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(changed, fc.constantFrom(...readers), async ([before, after], text) => {
      const version = (rows: Rows, time: keyof BothContents): StatementVersion => ({
        ...{ text, dialects: ['duckdb'], inlined: '' },
        reads: ([name]) => {
          if (name?.text !== 'seed') return 'a';
          const [contents, constants] = [unknownContents[time], seedConstants(seedOf(rows))];
          return { relation: 'seed', contents, key: null, constants, madeBy: () => null };
        },
      });
      if (compareContents(parser, version(before, 'before'), version(after, 'after'), { left: 1_000_000 }) !== 'same')
        return;
      claims++;
      expect([text, await resultOf(after, text)]).toEqual([text, await resultOf(before, text)]);
    }),
    { numRuns: 400 },
  );
  expect(claims).toBeGreaterThan(30);
}, 60_000);
