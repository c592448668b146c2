import { describe, expect, it } from 'vitest';
import { providerNames } from '../../shared/contract/provider-names.ts';

const connectors: Readonly<Record<string, string>> = { c1: 'warehouse', c2: 'lake' };

const namesOf = (...providers: readonly (readonly [display_name: string, connector_id: string | null])[]) => [
  ...providerNames(
    providers.map(([display_name, connector_id], index) => ({
      id: `id-${index}-0123456789`,
      display_name,
      connector_id,
    })),
    (id) => connectors[id],
  ).values(),
];

describe('the names of providers', () => {
  it('stay as they are if no other provider has them', () => {
    expect(namesOf(['OpenLineage', 'c1'], ['dbt', 'c1'])).toEqual(['OpenLineage', 'dbt']);
  });

  it('have the connector if several providers share them', () => {
    expect(namesOf(['OpenLineage', 'c1'], ['OpenLineage', 'c2'], ['OpenLineage', null], ['dbt', null])).toEqual([
      'OpenLineage (warehouse)',
      'OpenLineage (lake)',
      'OpenLineage (no connector)',
      'dbt',
    ]);
  });

  it('have the id if the connector is the same, or is not known', () => {
    expect(namesOf(['spark', 'c1'], ['spark', 'c1'], ['spark', 'c9'])).toEqual([
      'spark (warehouse, id-0-0123456789)',
      'spark (warehouse, id-1-0123456789)',
      'spark (c9)',
    ]);
  });
});
