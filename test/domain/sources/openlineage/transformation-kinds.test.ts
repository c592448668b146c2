import { describe, expect, it } from 'vitest';
import { transformationKindsOf } from '../../../../shared/domain/lineage/sources/openlineage/input-mapping.ts';

const direct = { type: 'DIRECT', subtype: null, masking: false };

describe('the transformations of a column mapping', () => {
  it('are one direct use if the producer sends none, or an empty list', () => {
    expect(transformationKindsOf(undefined, 'total')).toEqual([direct]);
    expect(transformationKindsOf([], 'total')).toEqual([direct]);
  });

  it('are one mapping each, with its subtype, masking and expression', () => {
    const stated = [
      { type: 'direct', subtype: 'AGGREGATION', description: 'sum(a)' },
      { type: 'INDIRECT', subtype: 'FILTER', masking: true },
    ];
    expect(transformationKindsOf(stated, 'total')).toEqual([
      { ...direct, subtype: 'AGGREGATION', expression: 'sum(a)' },
      { type: 'INDIRECT', subtype: 'FILTER', masking: true },
    ]);
  });

  it('are indirect for the whole output, without subtype and expression of a direct use', () => {
    const stated = [{ type: 'DIRECT', subtype: 'IDENTITY', description: 'a' }];
    expect(transformationKindsOf(stated, null)).toEqual([{ ...direct, type: 'INDIRECT' }]);
  });
});
