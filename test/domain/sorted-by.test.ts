import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compare, sortedBy } from '../../shared/domain/base/collections.ts';

const keys = fc.record({ text: fc.constantFrom('', 'a', 'B', 'é'), number: fc.integer({ min: -2, max: 2 }) });

it('orders items only by keys: any order of the same items comes out the same', () => {
  fc.assert(
    fc.property(fc.array(keys), fc.infiniteStream(fc.nat()), (items, random) => {
      const shuffled = items.map((item) => ({ item, at: random.next().value as number }));
      shuffled.sort((a, b) => a.at - b.at);
      const ordered = (list: typeof items) =>
        sortedBy(
          list,
          ({ text }) => text,
          ({ number }) => number,
        );
      expect(ordered(shuffled.map(({ item }) => item))).toEqual(ordered(items));
    }),
  );
});

it('keeps the order of items whose keys are equal', () => {
  const items = [1, 2, 3, 4].map((id) => ({ id, key: id % 2 }));
  expect(sortedBy(items, ({ key }) => key).map(({ id }) => id)).toEqual([2, 4, 1, 3]);
});

it('asks for a key once an item, and for a later one only if the earlier ones are equal', () => {
  const requested: string[] = [];
  const reported = (name: string, key: number) => {
    requested.push(name);
    return key;
  };
  const items = [
    { name: 'c', first: 2, second: 0 },
    { name: 'b', first: 1, second: 2 },
    { name: 'a', first: 1, second: 1 },
  ];
  const sorted = sortedBy(
    items,
    ({ name, first }) => reported(`${name}1`, first),
    ({ name, second }) => reported(`${name}2`, second),
  );
  expect(sorted.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(requested.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
});

it('compares as a total order: equal keys are equal', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
      expect(compare(a, b) === 0).toBe(a === b);
    }),
  );
});
