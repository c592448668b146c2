import { describe, expect, it } from 'vitest';
import { urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { declaredRelation } from '../../../shared/domain/lineage/names/relation-ref.ts';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import vectors from '../../fixtures/identity/part-vectors.json' with { type: 'json' };
import { connectorWith } from './connectors.ts';

type Vector = { readonly kind?: string | undefined; readonly namespace: string; readonly whole: string };
const owner = ({ kind, namespace }: Vector, parts: 'whole' | 'apart') =>
  kind === undefined ? [] : [connectorWith({ kind: kind as 'bigquery', namespaces: [namespace], parts })];
const nodeOf = (vector: Vector, name: string, parts: 'whole' | 'apart' = 'whole') =>
  resolveDataset(owner(vector, parts), { namespace: vector.namespace, name, symlinks: [] });

describe('parts of a relation (C-IDENTITY-19)', () => {
  it.each(vectors.parts.map((one) => [one.part, one.whole, one] as const))(
    '%s is part of %s',
    (part, whole, vector) => {
      const found = nodeOf(vector, part);
      expect([urnOf(found.node), found.isPart]).toEqual([urnOf(nodeOf(vector, whole).node), true]);
      expect(nodeOf(vector, whole).isPart).toBeUndefined();
    },
  );

  it.each(vectors.whole.map((one) => [one.whole, one] as const))('%s is no part', (whole, vector) => {
    const found = nodeOf(vector, whole);
    expect(found.isPart).toBeUndefined();
    expect(urnOf(found.node)).toContain(whole);
  });

  it.each(vectors.parts.filter(({ kind }) => kind !== undefined).map((one) => [one.part, one] as const))(
    '%s keeps its name where the connector wants parts apart',
    (part, vector) => {
      const found = nodeOf(vector, part, 'apart');
      expect([found.isPart, urnOf(found.node) === urnOf(nodeOf(vector, vector.whole, 'apart').node)]).toEqual([
        undefined,
        false,
      ]);
    },
  );

  it('are the declared relation too', () => {
    const connector = connectorWith({ kind: 'bigquery', namespaces: ['bigquery'], parts: 'whole' });
    const ref = (table: string) =>
      declaredRelation(connector, [...['p', 'd', table].map((text) => ({ text, quoted: true }))]).ref;
    expect(ref('events_20261127')).toBe(ref('events_*'));
  });
});
