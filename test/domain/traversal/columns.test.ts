import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EdgeColumn, EdgeDetail } from '../../../shared/domain/lineage/graph/derivation.ts';
import {
  columnsOf,
  everyColumn,
  joinColumns,
  newColumns,
  propagateColumns,
} from '../../../shared/domain/lineage/traversal/columns.ts';

const mapping = (inputColumn: string, outputColumn: string | null): EdgeColumn =>
  ({ inputColumn, outputColumn, type: 'DIRECT', subtype: 'IDENTITY', masking: false }) as EdgeColumn;
const detail = (columns: readonly EdgeColumn[], unresolved: EdgeDetail['unresolved'] = []): EdgeDetail =>
  ({ columns, unresolved }) as unknown as EdgeDetail;
const names = fc.array(fc.constantFrom('a', 'A', 'b', 'c', 'D'), { maxLength: 4 });
const keys = ({ names }: { readonly names: ReadonlyMap<string, string> }) => [...names.keys()].sort();

describe('affected columns', () => {
  it('grow to both together, and are new as far as they were not known', () => {
    fc.assert(
      fc.property(names, names, (known, more) => {
        const [before, next] = [columnsOf(known), columnsOf(more)];
        const added = newColumns(before, next);
        expect(keys(joinColumns(before, added ?? columnsOf([])))).toEqual(keys(joinColumns(before, next)));
        expect(newColumns(joinColumns(before, next), next)).toBeNull();
      }),
    );
    expect(newColumns(everyColumn, everyColumn)).toBeNull();
    expect(newColumns(columnsOf(['a']), everyColumn)).toMatchObject({ all: true });
  });

  it('follow mappings whatever the case of names, each direction by its own end (C-IMPACT-6)', () => {
    const evidence = [detail([mapping('Id', 'ORDER_ID'), mapping('note', 'remark')])];
    expect(keys(propagateColumns('out', columnsOf(['ID']), evidence).reached ?? columnsOf([]))).toEqual(['order_id']);
    expect(keys(propagateColumns('in', columnsOf(['order_id']), evidence).reached ?? columnsOf([]))).toEqual(['id']);
    expect(propagateColumns('out', columnsOf(['other']), evidence)).toMatchObject({ reached: null, byTable: false });
  });

  it('concern the fields within them and the columns that they stand within, not their neighbours (C-IMPACT-17)', () => {
    const evidence = [
      detail([mapping('address', 'place'), mapping('Address.City', 'Town'), mapping('address.zip.area', 'area')]),
    ];
    const reached = (side: 'in' | 'out', ...columns: string[]) =>
      keys(propagateColumns(side, columnsOf(columns), evidence).reached ?? columnsOf([]));
    expect(reached('out', 'address')).toEqual(['area', 'place', 'town']);
    expect(reached('out', 'ADDRESS.city')).toEqual(['place', 'town']);
    expect(reached('out', 'address.zip')).toEqual(['area', 'place']);
    expect(reached('out', 'addresses', 'city', 'address_city')).toEqual([]);
    expect(reached('in', 'town.name')).toEqual(['address.city']);
    const open = detail([], [{ outputColumn: 'item.price', reason: 'not_parsed' }]);
    expect(propagateColumns('in', columnsOf(['item']), [open])).toMatchObject({ byTable: true });
    expect(propagateColumns('in', columnsOf(['item.size']), [open])).toMatchObject({ reached: null });
  });

  it('reach the whole far end where evidence maps no columns, and say why (C-IMPACT-7)', () => {
    const unmapped = { column: null, reason: 'columns_not_reported' };
    for (const side of ['out', 'in'] as const) {
      const propagated = propagateColumns(side, columnsOf(['a']), [null, detail([mapping('a', 'b')])]);
      expect(propagated).toMatchObject({ byTable: true, reached: { all: true }, reasons: [unmapped] });
    }
  });

  it('reach every output of a mapping to the whole dataset, and suspect an output that is not resolved', () => {
    const wide = detail([mapping('filter', null), mapping('a', 'b'), mapping('c', 'd')]);
    const reached = propagateColumns('out', columnsOf(['filter']), [wide]).reached;
    expect([reached?.all, keys(reached ?? columnsOf([]))]).toEqual([true, ['b', 'd']]);
    const open = detail([mapping('a', 'b')], [{ outputColumn: 'e', reason: 'not_parsed' }]);
    expect(keys(propagateColumns('out', columnsOf(['a']), [open]).reached ?? columnsOf([]))).toEqual(['b', 'e']);
    expect(propagateColumns('in', columnsOf(['b']), [open])).toMatchObject({ byTable: false, reasons: [] });
    expect(propagateColumns('in', columnsOf(['e']), [open])).toMatchObject({ byTable: true });
  });
});
