import { describe, expect, it } from 'vitest';
import type { ConnectorId } from '../../../../shared/contract/ids.ts';
import { refOf, type Urn, urnOf } from '../../../../shared/domain/lineage/graph/node.ts';
import { type MatchingSides, matchBranch } from '../../../../shared/domain/lineage/queries/diff/match-branch.ts';

type Naming = { readonly alias?: string; readonly schema?: string };

const names = ['orders', 'items', 'refunds'];

/** Models in the schema of an environment, each with the parts of its name that its configuration chooses. */
const models = (schema: string, naming: Readonly<Record<string, Naming>>) =>
  names.map((id) => {
    const { alias = id, schema: own = schema } = naming[id] ?? {};
    const node = { kind: 'relation', connectorId: 'con_1' as ConnectorId, ref: `crm.${own}.${alias}` } as const;
    return {
      id,
      isModel: true,
      node,
      settings: { naming: { alias: null, schema: null, database: null, ...naming[id] } },
    };
  });

function matched(live: Readonly<Record<string, Naming>>, branch: Readonly<Record<string, Naming>>) {
  const [before, after] = [models('prod', live), models('pr_7', branch)];
  const matching = matchBranch({
    matchBy: 'model',
    branch: { project: { name: 'm', models: after, sources: [] }, declared: { relations: [] } },
    scope: { producers: new Map(), side: { edges: [] } },
    live: { projects: [{ name: 'm', models: before, sources: [] }] },
  } as unknown as MatchingSides);
  if (typeof matching === 'string') return matching;
  const liveOf = (urn: Urn) => refOf(matching.nameOf(urn)).replace(/^.*crm\./, '');
  return Object.fromEntries(after.map(({ id, node }) => [id, liveOf(urnOf(node))]));
}

describe('a branch that is built elsewhere', () => {
  it('has the live relation of each model', () => {
    expect(matched({}, {})).toEqual({ orders: 'prod.orders', items: 'prod.items', refunds: 'prod.refunds' });
  });

  it('keeps its own names for models that it renames', () => {
    expect(matched({}, { items: { alias: 'lines' } })).toMatchObject({ orders: 'prod.orders', items: 'pr_7.lines' });
  });

  it('renames nothing by settings that differ of every model, because its target decides them', () => {
    const each = (schema: string) => Object.fromEntries(names.map((name) => [name, { schema }]));
    expect(matched(each('mart'), each('ci_mart'))).toEqual({
      orders: 'mart.orders',
      items: 'mart.items',
      refunds: 'mart.refunds',
    });
  });
});
