import { expect, it } from 'vitest';
import { rollBack } from '../../../shared/domain/lineage/sql/scripts/conditions.ts';

type Session = Parameters<typeof rollBack>[0];

/** The statements whose undoing depends on a condition, of three that ran and two conditions around the rollback. */
function undoneOf(left: number, savepoints: Readonly<Record<string, number>> = {}, to = '') {
  const session = {
    frames: [{ part: 'routine', conditions: ['a', 'b'], savepoints: new Map(Object.entries(savepoints)) }],
    done: ['first', 'second', 'third'],
    undone: new Map(),
    budget: { left },
  };
  rollBack(session as unknown as Session, to);
  return { undone: [...session.undone].map(([one, known]) => [one, ...known]), left: session.budget.left };
}

it('makes what is undone depend on the conditions, within the steps that are left', () => {
  const all = ['first', 'second', 'third'].map((one) => [one, 'a', 'b']);
  expect(undoneOf(24)).toEqual({ undone: all, left: 0 });
  expect(undoneOf(23)).toEqual({ undone: [], left: -1 });
});

it('undoes only what was done since the savepoint that it names', () => {
  expect(undoneOf(100, { s: 2 }, 's').undone).toEqual([['third', 'a', 'b']]);
  expect(undoneOf(100, { s: 2 }, 'other').undone).toHaveLength(3);
  expect(undoneOf(100, { '': 1, s: 2 }, 'other').undone).toHaveLength(2);
});
