import { describe, expect, it } from 'vitest';
import type { EdgeColumn, EdgeDetail } from '../../../shared/domain/lineage/graph/derivation.ts';
import type { EvaluatedEdge } from '../../../shared/domain/lineage/traversal/evaluate.ts';
import { admittedOf, type Evidence } from '../../../shared/domain/lineage/traversal/evidence.ts';
import { mappingVerdicts } from '../../../shared/domain/lineage/traversal/verdict.ts';

const mapping = (inputColumn: string): EdgeColumn =>
  ({ inputColumn, outputColumn: 'total', type: 'DIRECT', subtype: 'IDENTITY', masking: false }) as EdgeColumn;
const [amount, tax] = [mapping('amount'), mapping('tax')];
const evidence = (
  providerType: string,
  observedAt: string,
  columns: readonly EdgeColumn[],
  disposition = 'admitted',
): Evidence =>
  ({
    providerType,
    observedAt,
    disposition,
    kind: providerType === 'openlineage' ? 'observed' : 'snapshot',
    class: providerType === 'openlineage' ? 'runtime' : 'declared',
    detail: { columns, unresolved: [] } as unknown as EdgeDetail,
  }) as unknown as Evidence;
const declared = (at: string, columns = [amount]) => evidence('dbt_manifest', at, columns);
const run = (at: string, columns = [tax], disposition?: string) => evidence('openlineage', at, columns, disposition);
const verdictOf = (...all: Evidence[]) => mappingVerdicts({ evidence: all } as unknown as EvaluatedEdge)(amount);
const at = (minute: number) => `2026-11-28T12:${String(minute).padStart(2, '0')}:00.000Z`;

describe('the verdict of a column mapping (C-VERDICT-4)', () => {
  it('is never_observed if a run since its declaration, or at the same moment, maps all columns without it', () => {
    const expected = { verdict: 'declared_only', reason: 'never_observed' };
    expect(verdictOf(declared(at(5)), run(at(6)))).toEqual(expected);
    expect(verdictOf(declared(at(5)), run(at(5)))).toEqual(expected);
  });

  it('is not covered by a run before the newest declaration', () => {
    const expected = { verdict: 'declared_only', reason: 'not_covered' };
    expect(verdictOf(declared(at(5)), run(at(4)))).toEqual(expected);
    expect(verdictOf(declared(at(3)), declared(at(5)), run(at(4)))).toEqual(expected);
  });

  it('does not count what a policy suppresses, on either side', () => {
    const hidden = run(at(6), [amount], 'policy:provider_rule');
    expect(admittedOf([declared(at(5)), hidden])).toEqual([declared(at(5))]);
    expect(verdictOf(declared(at(5)), hidden)).toEqual({ verdict: 'declared_only', reason: 'not_covered' });
    expect(verdictOf(declared(at(5)), run(at(6), [amount]))).toEqual({ verdict: 'confirmed', reason: null });
  });
});
