import { expect, it } from 'vitest';
import { exposuresByOwner } from '../../../shared/domain/lineage/queries/impact/answer.ts';

type Items = Parameters<typeof exposuresByOwner>[0];

it('groups exposures by tool and owner in their order, and puts last what is not known', () => {
  const items = [
    ['d1', null, ['ada']],
    ['d2', 'zeppelin', []],
    ['d3', 'looker', ['bob', 'ada']],
    ['d4', 'looker', ['ada']],
    ['d5', 'looker', []],
  ].map(([relation_ref, tool, owners]) => ({ relation_ref, exposure: { tool, owners } }));
  const groups = exposuresByOwner([...items, { relation_ref: 'table', exposure: null }] as unknown as Items);
  expect(groups.map(({ tool, owner, relation_refs }) => [tool, owner, ...relation_refs])).toEqual([
    ['looker', 'ada', 'd3', 'd4'],
    ['looker', 'bob', 'd3'],
    ['looker', null, 'd5'],
    ['zeppelin', null, 'd2'],
    [null, 'ada', 'd1'],
  ]);
});
