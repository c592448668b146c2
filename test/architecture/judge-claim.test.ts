import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Claim, judgeClaim, prepare } from '../../bench/gauntlet/judge-claim.ts';
import { mutantsOf } from '../../bench/gauntlet/mutate.ts';

const same: Claim = { kind: 'same' };
const only = (...columns: readonly string[]): Claim => ({
  kind: 'changed',
  rows: false,
  columns,
  added: [],
  removed: [],
});

describe('the judge of a claim executes two versions of a statement', () => {
  let on: readonly DuckDBConnection[];
  beforeAll(async () => {
    on = await Promise.all(
      ['range(9)', 'range(20)'].map(async (rows) => {
        const connection = await (await DuckDBInstance.create()).connect();
        await connection.run(`create table t as select i as a, i % 3 as b from ${rows} r(i)`);
        return connection;
      }),
    );
  });
  const judged = async (before: string, after: string, claim: Claim) =>
    judgeClaim(await prepare({ name: '', text: before, on }), after, claim);

  it.each<readonly [string, string, string, Claim, string | null]>([
    ['equal rows', 'select a from t', 'select a + 0 as a from t', same, null],
    ['rows of one data set', 'select a from t', 'select a from t where a < 10', same, 'same, and differs'],
    ['another name', 'select a from t', 'select a as c from t', same, 'same, and differs'],
    ['columns in another order', 'select a, b from t', 'select b, a from t', same, 'same, and differs'],
    ['a failure', 'select a from t', 'select c from t', same, 'same, and fails'],
    ['a column that is claimed', 'select a, b from t', 'select a, b + 1 as b from t', only('b'), null],
    [
      'a column that is not claimed',
      'select a, b from t',
      'select a + 1 as a, b from t',
      only('b'),
      'only these columns, and others differ',
    ],
    [
      'ties that a limit leaves open',
      'select a, b from t order by b limit 2',
      'select a, b from (select * from t order by a desc) order by b limit 2',
      same,
      null,
    ],
    [
      'another limit',
      'select a, b from t order by b limit 2',
      'select a, b from t order by b limit 3',
      same,
      'same, and differs',
    ],
  ])('judges %s', async (_name, before, after, claim, problem) => {
    expect((await judged(before, after, claim)).problem).toBe(problem);
  });

  it('leaves out a data set over which the statement fails', async () => {
    const sets = await prepare({ name: '', text: 'select (select a from t where a > 7) as a', on });
    expect(sets.length).toBe(1);
  });
});

it('takes changes of words evenly from the whole statement', () => {
  const text = Array.from({ length: 50 }, (_, place) => `select ${place}`).join(' union all ');
  const all = mutantsOf(text);
  const some = mutantsOf(text, 30);
  expect(some.length).toBe(30);
  const places = some.map((one) => all.findIndex((other) => other.text === one.text));
  const steps = places.slice(1).map((place, at) => place - (places[at] ?? 0));
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
});
