import { describe, expect, it } from 'vitest';
import { changes, heldOutChanges } from '../../bench/gauntlet/changes.ts';
import { edited, readProject, relationReads, touchedRelations } from '../../bench/gauntlet/edit.ts';
import { type Difference, judge, type Report, totals } from '../../bench/gauntlet/judge.ts';

const same: Difference = {
  is_gone: false,
  is_new: false,
  columns_lost: [],
  columns_added: [],
  only_before: 0,
  only_after: 0,
};
const otherRows: Difference = { ...same, only_before: 2, only_after: 3 };

const silent: Report = {
  grade: 'safe',
  relations: [],
  columns: [],
  precision: { reasons: [] },
  truncated: { any: false, by_requests: false, by_bytes: false, unlisted: 0, unwalked: 0 },
};
const risky = (relation_ref: string, ...breaks: readonly string[]): Report => ({
  ...silent,
  grade: 'risky',
  relations: [{ relation_ref, grade: 'risky', unexplored: 0, breaks: breaks.map((ref) => ({ relation_ref: ref })) }],
});

describe('the judge of the gauntlet', () => {
  it('calls a report that is silent about a changed model missed, unnamed and a false all-clear', () => {
    const verdict = judge({ differences: { a: otherRows, b: otherRows, c: same }, touched: ['a'], reads: {} }, silent);
    expect(verdict).toMatchObject({
      differs: ['a', 'b'],
      missedAtModel: ['a'],
      unnamed: ['a', 'b'],
      isFalseAllClear: true,
    });
  });

  it('takes a relation for named if the report lists its change, or names it behind another', () => {
    const verdict = judge(
      { differences: { a: otherRows, b: otherRows, c: same }, touched: ['a'], reads: {} },
      risky('a', 'b'),
    );
    expect(verdict).toMatchObject({ missedAtModel: [], unnamed: [], overWarned: [], isFalseAllClear: false });
  });

  it('misses the model that a change touches if the report names it only behind another', () => {
    const verdict = judge(
      { differences: { a: otherRows, b: otherRows }, touched: ['a', 'b'], reads: {} },
      risky('a', 'b'),
    );
    expect(verdict).toMatchObject({ missedAtModel: ['b'], unnamed: [] });
  });

  it('calls relations over-warned that the report names and that do not differ, a safe listing excepted', () => {
    expect(
      judge({ differences: { a: otherRows, b: same }, touched: ['a'], reads: {} }, risky('a', 'b')).overWarned,
    ).toEqual(['b']);
    const listed = { ...silent, relations: [{ relation_ref: 'a', grade: 'safe' as const, unexplored: 0, breaks: [] }] };
    expect(judge({ differences: { a: same }, touched: ['a'], reads: {} }, listed).overWarned).toEqual([]);
  });

  it('tells relations that could differ with other data from those that nothing reaches', () => {
    const reads = { b: ['a'], c: ['b'], d: ['x'] };
    const executed = { differences: { a: otherRows, b: same, c: same, d: same }, touched: ['a'], reads };
    expect(judge(executed, risky('a', 'b', 'c', 'd'))).toMatchObject({
      overWarned: ['b', 'c', 'd'],
      beyondReach: ['d'],
    });
  });

  it('lets a report call new relations and new columns safe, and no lost column', () => {
    const graded = (one: Partial<Difference>) =>
      judge({ differences: { a: { ...same, ...one } }, touched: ['a'], reads: {} }, silent).isFalseAllClear;
    expect([graded({ is_new: true }), graded({ columns_added: ['n'] })]).toEqual([false, false]);
    expect([graded({ columns_lost: ['n'] }), graded({ is_gone: true })]).toEqual([true, true]);
  });

  it('does not judge what the project does not make', () => {
    expect(
      judge({ differences: { a: otherRows }, touched: ['a'], reads: {} }, risky('a', 'raw.source')).overWarned,
    ).toEqual([]);
  });

  it('counts an unnamed relation apart if the report says that it is cut', () => {
    const cut: Report = { ...silent, truncated: { ...silent.truncated, any: true } };
    const sum = totals([
      judge({ differences: { a: otherRows }, touched: ['a'], reads: {} }, cut),
      judge({ differences: { a: same }, touched: [], reads: {} }, risky('a')),
    ]);
    expect(sum).toMatchObject({ changes: 2, altering: 1, unnamed: 1, unnamedAndSaysItIsCut: 1 });
    expect(sum).toMatchObject({ equal: 1, equalButWarned: 1, named: 1, overWarned: 1, overWarnedShare: 1 });
  });
});

describe('the changes of the gauntlet', () => {
  const project = readProject();
  const all = [...changes, ...heldOutChanges];

  it('apply to the project, and have their own names', () => {
    for (const change of all) expect(edited(project, change), change.name).not.toEqual(project);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('are refused if a passage is not there, or not once', () => {
    const twice = { name: 'twice', kind: 'filter', edits: [{ file: 'a.sql', find: 'x', put: 'y' }] };
    expect(() => edited(new Map([['a.sql', 'x x']]), twice)).toThrow('a.sql does not have the passage once');
    expect(() => edited(new Map(), twice)).toThrow('a.sql does not have the passage once');
    expect(() => edited(new Map(), { ...twice, edits: [{ file: 'a.sql', remove: true }] })).toThrow(
      'there is no a.sql',
    );
  });

  it('touch the relations whose compiled code or seed is another, by the names of the graph', () => {
    const model = (name: string, code: string | null, checksum = 'same') => ({
      resource_type: 'model',
      relation_name: `"shop"."main"."${name}"`,
      compiled_code: code,
      checksum: { checksum },
    });
    const before = { nodes: { a: model('a', 'select 1'), b: model('b', null), c: model('c', 'select 3') } };
    const after = { nodes: { a: model('a', 'select 2'), b: model('b', null, 'other'), d: model('d', 'select 4') } };
    expect(touchedRelations(before, after)).toEqual(['shop.main.a', 'shop.main.b', 'shop.main.c', 'shop.main.d']);
  });

  it('read through ephemeral models what these read', () => {
    const node = (relation_name: string | null, ...nodes: readonly string[]) => ({
      resource_type: 'model',
      relation_name,
      checksum: { checksum: '' },
      depends_on: { nodes },
    });
    const nodes = { a: node('"s"."a"', 'source.x'), e: node(null, 'a'), b: node('"s"."b"', 'e') };
    expect(relationReads({ nodes })).toEqual({ 's.a': [], 's.b': ['s.a'] });
  });
});
