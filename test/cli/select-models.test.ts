import { describe, expect, it } from 'vitest';
import { selectedModels } from '../../cli/diff/select-models.ts';
import type { LineageDiff } from '../../shared/contract/diff.ts';

type Names = { readonly database?: string; readonly schema?: string; readonly alias?: string };

const node = (name: string, names: Names = {}) => ({
  resource_type: 'model',
  name,
  fqn: ['shop', name],
  original_file_path: `models/${name}.sql`,
  ...names,
});

function selection(changed: readonly string[], nodes: Readonly<Record<string, object>>, base?: object) {
  const relations = changed.map((relation_ref) => ({
    change: 'changed',
    relation_ref,
    reasons: [],
    breaks: [],
    unexplored: 0,
  }));
  const diff = { relations, columns: [], not_evaluated: null, truncated: { any: false } } as unknown as LineageDiff;
  return selectedModels(diff, [{ nodes }, ...(base ? [{ nodes: base }] : [])], 'dbt');
}

describe('the models to build', () => {
  it('are found by the whole name of their relation, whatever its case', () => {
    const nodes = { a: node('orders', { database: 'crm', schema: 'mart' }), b: node('orders_2', { schema: 'mart' }) };
    expect(selection(['CRM.Mart.Orders'], nodes)).toEqual(['fqn:shop.orders']);
  });

  it('are found by the last part of a name of another environment if one model has it', () => {
    const nodes = { a: node('orders', { database: 'ci', schema: 'pr_7' }), b: node('x', { alias: 'Items' }) };
    expect(selection(['prod.mart.orders', 'prod.mart.items'], nodes)).toEqual(['fqn:shop.orders', 'fqn:shop.x']);
  });

  it('are not guessed if several models have that name, or none', () => {
    const nodes = { a: node('orders', { schema: 'one' }), b: node('orders', { schema: 'two' }) };
    expect(selection(['prod.mart.orders', 'prod.mart.gone'], nodes)).toEqual([]);
  });

  it('include those that only the branch has', () => {
    expect(selection([], { a: node('orders'), b: node('fresh') }, { a: node('orders') })).toEqual(['fqn:shop.fresh']);
  });
});
