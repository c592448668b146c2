import { expect, it } from 'vitest';
import type { EdgeOfAnswer } from '../../web/src/lineage/answer.ts';
import { bySchema, grouped } from '../../web/src/lineage/groups.ts';

const row = { direction: 'downstream' } as unknown as NonNullable<Parameters<typeof grouped>[0][number]['row']>;

/** The picture of a hub with readers; the last ones have a reader too. */
function hubWith(schemas: readonly string[], count: number, { deep = 0, groupName = bySchema } = {}) {
  const edge = (upstream: string, downstream: string) => ({ upstream, downstream }) as EdgeOfAnswer;
  const readers = Array.from({ length: count }, (_, index) => `shop.${schemas[index % schemas.length]}.r${index}`);
  const further = readers.slice(count - deep).map((name) => edge(name, `${name}_reader`));
  const names = ['shop.raw.hub', ...readers, ...further.map(({ downstream }) => downstream)];
  const points = names.map((relation, index) => ({
    id: relation,
    relation,
    columns: [],
    row: index === 0 ? null : row,
  }));
  const edges = [...readers.map((name) => edge('shop.raw.hub', name)), ...further];
  return grouped(points, edges, { open: [], single: new Set(['shop.raw.hub']), groupName });
}

it('draws the readers of a hub that are in several schemas as one card with counts', () => {
  const { groups, relations, lines } = hubWith(['a', 'b', 'c', 'd', 'e'], 200);
  expect(groups).toMatchObject([
    { id: 'readers.shop.raw.hub', schema: 'Readers of hub', lines: ['a 40', 'b 40', 'c 40', 'and 2 more'] },
  ]);
  expect([relations.map(({ id }) => id), lines.length]).toEqual([['shop.raw.hub'], 1]);
});

it('draws the readers of a hub in one schema as that schema', () => {
  const { groups } = hubWith(['a'], 200);
  expect(groups).toMatchObject([{ id: 'downstream.shop.a', lines: ['r0', 'r1', 'r2', 'and 197 more'] }]);
});

it('leaves few readers, those that others read, and other groupings as they were', () => {
  const ids = (of: ReturnType<typeof hubWith>) => of.groups.map(({ id }) => id).toSorted();
  expect(ids(hubWith(['a', 'b'], 44, { deep: 10 }))).toEqual(['downstream.shop.a', 'downstream.shop.b']);
  expect(ids(hubWith(['a', 'b'], 90, { deep: 10 }))).toEqual([
    ...['downstream.shop.a', 'downstream.shop.b', 'readers.shop.raw.hub'],
  ]);
  expect(ids(hubWith(['a', 'b'], 90, { groupName: () => 'marts' }))).toEqual(['downstream.marts']);
});
