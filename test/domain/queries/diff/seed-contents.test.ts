import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bothSeedContents,
  readSeed,
  seedContents,
} from '../../../../shared/domain/lineage/queries/diff/seed-contents.ts';
import { nameRulesOf } from '../../../../shared/domain/lineage/sql/name-rules.ts';

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

it('names only columns as a key in which no two rows are equal, whatever type they have (C-FILES-3)', async () => {
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
