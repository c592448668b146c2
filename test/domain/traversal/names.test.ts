import { describe, expect, it } from 'vitest';
import { type NodeFacts, noFacts } from '../../../shared/domain/lineage/graph/claim.ts';
import type { Urn } from '../../../shared/domain/lineage/graph/node.ts';
import type { Micros } from '../../../shared/domain/lineage/graph/order.ts';
import { alternativeNames, currentName, isDropped } from '../../../shared/domain/lineage/traversal/names.ts';

const at = (time: number) => String(time).padStart(18, '0') as Micros;
const dataset = (namespace: string, name: string) => `dataset:${encodeURIComponent(namespace)}:${name}` as Urn;
const named = {
  relation: 'relation:con:a' as Urn,
  otherRelation: 'relation:con:b' as Urn,
  datahub: 'datahub:urn:li:dataset:z' as Urn,
  table: dataset('postgres://db:5432', 'z'),
  path: dataset('file', '/a'),
  object: dataset('s3://lake', 'a'),
};
type Name = keyof typeof named;

/** Facts from pairs of names: aliases, and renames at a time. */
function factsOf(
  aliases: readonly (readonly [Name, Name])[],
  renames: readonly (readonly [Name, Name, number])[] = [],
) {
  const facts = new Map<Urn, NodeFacts>();
  const change = (name: Name, more: (known: NodeFacts) => Partial<NodeFacts>) => {
    const known = facts.get(named[name]) ?? noFacts;
    facts.set(named[name], { ...known, ...more(known) });
  };
  for (const [alias, canonical] of aliases)
    change(alias, ({ aliasOf }) => ({ aliasOf: [...aliasOf, named[canonical]] }));
  for (const [from, to, time] of renames)
    change(from, ({ renamedTo }) => ({ renamedTo: [...renamedTo, { urn: named[to], at: at(time) }] }));
  return (urn: Urn) => facts.get(urn);
}
const shown = (name: Name, time: number | null, ...facts: Parameters<typeof factsOf>): string => {
  const urn = currentName(named[name], time === null ? null : at(time), factsOf(...facts));
  return Object.entries(named).find(([, one]) => one === urn)?.[0] ?? urn;
};

describe('the shown name of a dataset', () => {
  it('is its own, unless it is an alias', () => {
    expect(shown('path', 1, [])).toBe('path');
    expect(shown('path', null, [['path', 'table']])).toBe('table');
    expect(
      shown('path', null, [
        ['path', 'table'],
        ['table', 'relation'],
      ]),
    ).toBe('relation');
    expect(shown('table', null, [['path', 'table']])).toBe('table');
  });

  const better: readonly (readonly [Name, Name])[] = [
    ['relation', 'otherRelation'],
    ['otherRelation', 'datahub'],
    ['relation', 'table'],
    ['relation', 'path'],
    ['datahub', 'table'],
    ['datahub', 'path'],
    ['datahub', 'object'],
    ['table', 'path'],
    ['table', 'object'],
    ['path', 'object'],
  ];
  it.each(better)('is %s rather than %s where each is the other’s alias, or both are its names', (best, other) => {
    const circle = [
      [best, other],
      [other, best],
    ] as const;
    for (const facts of [circle, circle.toReversed()])
      for (const name of [best, other]) expect(shown(name, null, facts)).toBe(best);
    const third = (Object.keys(named) as Name[]).find((name) => name !== best && name !== other) ?? best;
    for (const two of [
      [best, other],
      [other, best],
    ])
      expect(
        shown(
          third,
          null,
          two.map((name) => [third, name as Name] as const),
        ),
      ).toBe(best);
  });

  it('is the name that it was given since, step by step, never that of an earlier rename', () => {
    const renames = [
      ['table', 'path', 5],
      ['path', 'object', 7],
      ['table', 'relation', 9],
    ] as const;
    const names = [1, 5, 6, 9, 10].map((time) => shown('table', time, [], renames));
    expect(names).toEqual(['object', 'object', 'relation', 'relation', 'table']);
    expect(shown('path', 8, [], renames)).toBe('path');
    expect(shown('table', null, [], renames)).toBe('table');
    // After a step, only renames since that step count.
    expect(
      shown(
        'table',
        1,
        [],
        [
          ['table', 'path', 5],
          ['path', 'object', 4],
        ],
      ),
    ).toBe('path');
    expect(
      shown(
        'table',
        1,
        [['path', 'relation']],
        [
          ['table', 'path', 5],
          ['relation', 'object', 6],
        ],
      ),
    ).toBe('object');
    expect(shown('table', 1, [], [['table', 'table', 5]])).toBe('table');
    expect(
      shown(
        'table',
        1,
        [],
        [
          ['table', 'path', 5],
          ['table', 'object', 5],
        ],
      ),
    ).toBe('path');
  });

  it('stays as it is in a circle of renames at one time', () => {
    expect(
      shown(
        'table',
        1,
        [],
        [
          ['table', 'path', 5],
          ['path', 'table', 5],
        ],
      ),
    ).toBe('table');
    expect(
      shown(
        'path',
        1,
        [],
        [
          ['table', 'path', 5],
          ['path', 'table', 5],
        ],
      ),
    ).toBe('path');
  });

  it('is found over eight renames and no more', () => {
    const name = (n: number) => dataset('file', `/${n}`);
    const facts = (urn: Urn): NodeFacts => {
      const n = Number(urn.split('/').at(-1));
      return { ...noFacts, renamedTo: n < last ? [{ urn: name(n + 1), at: at(n + 1) }] : [] };
    };
    let last = 7;
    expect(currentName(name(0), at(0), facts)).toBe(name(7));
    last = 8;
    expect(currentName(name(0), at(0), facts)).toBe(name(0));
  });
});

it('claims of a dataset may stand under its aliases and its former names', () => {
  const { relation, table, path } = named;
  const renamedFrom = [table, path].map((urn) => ({ urn, at: at(1) }));
  expect(alternativeNames({ ...noFacts, aliases: [relation, table], renamedFrom })).toEqual([relation, table, path]);
  expect(alternativeNames(noFacts)).toEqual([]);
  expect(alternativeNames(undefined)).toEqual([]);
});

it.each([
  [4, 5, true],
  [5, 5, true],
  [6, 5, false],
  [null, 5, false],
  [4, null, false],
] as const)('a claim of time %s ended if its dataset was dropped at %s: %s', (time, droppedAt, isEnded) => {
  const facts = { ...noFacts, droppedAt: droppedAt === null ? null : at(droppedAt) };
  expect(isDropped(facts, time === null ? null : at(time))).toBe(isEnded);
  expect(isDropped(undefined, time === null ? null : at(time))).toBe(false);
});
