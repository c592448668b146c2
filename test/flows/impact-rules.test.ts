import { describe, expect, it } from 'vitest';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

type Query = Readonly<Record<string, string | readonly string[]>>;

const core = (name: string) => `crm.core.${name}`;
async function impact(query: Query): Promise<ImpactAnswer> {
  const { status, json } = await place.ask('/v1/lineage/impact', query);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const ask = (relation: string, query: Query = {}) => impact({ relation_ref: core(relation), ...query });
const refusal = async (query: Query) => (await place.ask('/v1/lineage/impact', query)).json.detail;

type Extra = NonNullable<Parameters<typeof runEvent>[3]>;
/** One event for each pair of relations, each of a separate job. */
const edges = (pairs: readonly (readonly [from: string, to: string])[], extra: Extra = {}) =>
  place.emit(
    pairs.map(([from, to]) => runEvent(place.namespace, [core(from)], [core(to)], { job: `${from} ${to}`, ...extra })),
  );
const shown = (items: ImpactAnswer['downstream']) => items.map(({ relation_ref, depth }) => [relation_ref, depth]);

/** A fan in and a fan out around `hub`, with a chain behind each of their ends. */
const fans = (width: number) =>
  Array.from({ length: width }, (_, i) => [
    [`in${i}`, 'hub'],
    ['hub', `out${i}`],
    [`far${i}`, `in${i}`],
    [`out${i}`, `end${i}`],
  ]).flat() as unknown as readonly (readonly [string, string])[];

describe('the request', () => {
  it('takes a direction, 1 to 10 levels and 1 to 500 relations, and defaults for each (C-IMPACT-1)', async () => {
    await edges([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    const both = await ask('b');
    expect(both.limits).toEqual({ max_depth: 5, max_nodes: 200 });
    expect([shown(both.upstream), shown(both.downstream)]).toEqual([[[core('a'), 1]], [[core('c'), 1]]]);
    expect((await ask('b', { direction: 'upstream' })).downstream).toEqual([]);
    expect((await ask('b', { direction: 'downstream' })).upstream).toEqual([]);
    for (const [field, values] of Object.entries({
      max_depth: ['0', '11', 'x'],
      max_nodes: ['0', '501'],
      direction: ['up'],
    }))
      for (const value of values)
        expect(await refusal({ relation_ref: core('b'), [field]: value })).toMatchObject({
          code: 'validation_error',
          errors: [{ path: `/query/${field}` }],
        });
  });
});

describe('the items', () => {
  it('come breadth first and then by name, each at the depth of its shortest path (C-IMPACT-2)', async () => {
    await edges([
      ['a', 'z'],
      ['a', 'm'],
      ['a', 'c'],
      ['m', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['z', 'a'],
    ]);
    const { downstream } = await ask('a', { direction: 'downstream' });
    expect(shown(downstream)).toEqual([
      [core('c'), 1],
      [core('m'), 1],
      [core('z'), 1],
      [core('b'), 2],
      [core('d'), 2],
    ]);
  });

  it('are never more than max_nodes, both directions together (C-IMPACT-3, C-IMPACT-4)', async () => {
    await edges(fans(6));
    for (const max of [1, 2, 5, 9, 12, 23, 24]) {
      const { upstream, downstream, truncated } = await ask('hub', { max_nodes: String(max) });
      expect(upstream.length + downstream.length, `${max}`).toBeLessThanOrEqual(max);
      const whole = upstream.length + downstream.length === 24;
      expect(truncated, `${max}`).toMatchObject({ any: !whole, by_nodes: !whole, by_depth: false });
      expect(truncated.unexplored > 0, `${max}`).toBe(!whole);
      expect(truncated.unexplored, `${max}`).toBeLessThanOrEqual(24 - upstream.length - downstream.length);
    }
  });

  it('fill what the other direction leaves of max_nodes, also if few of many readers take the column (C-IMPACT-4)', async () => {
    const reader = (name: string, column: string) =>
      runEvent(place.namespace, [core('hub')], [core(name)], { job: name, columns: { y: [[core('hub'), column]] } });
    await place.emit([
      runEvent(place.namespace, [core('feeder')], [core('hub')], { columns: { x: [[core('feeder'), 'v']] } }),
      ...Array.from({ length: 48 }, (_, i) => reader(`other${i}`, 'w')),
      ...Array.from({ length: 16 }, (_, i) => reader(`taker${i}`, 'x')),
    ]);
    for (const max of [4, 6, 8, 10, 12, 14, 17]) {
      const { upstream, downstream } = await ask('hub', { column_ref: 'x', max_nodes: String(max) });
      expect([upstream.length, downstream.length], `${max}`).toEqual([1, max - 1]);
    }
  });

  it('end at max_depth, and say so if there is more (C-IMPACT-4)', async () => {
    await edges([
      ['a', 'b'],
      ['b', 'c'],
      ['b', 'd'],
    ]);
    const near = await ask('a', { max_depth: '1' });
    expect(near.truncated).toEqual({
      any: true,
      by_depth: true,
      by_nodes: false,
      by_requests: false,
      by_bytes: false,
      unexplored: 2,
    });
    const far = await ask('a', { max_depth: '2' });
    expect(far.truncated).toEqual({
      any: false,
      by_depth: false,
      by_nodes: false,
      by_requests: false,
      by_bytes: false,
      unexplored: 0,
    });
  });
});

describe('edges that do not count', () => {
  it('are followed only with include_stale, and left out below min_confidence (C-IMPACT-5)', async () => {
    await edges([['a', 'old']], { at: '2020-01-01T00:00:00Z' });
    await edges([['a', 'new']]);
    const plain = await ask('a');
    expect(shown(plain.downstream)).toEqual([[core('new'), 1]]);
    const all = await ask('a', { include_stale: 'true' });
    expect(shown(all.downstream)).toEqual([
      [core('new'), 1],
      [core('old'), 1],
    ]);
    expect(all.blast_radius.stale_edges).toBe(1);
    expect(all.edges.find(({ downstream }) => downstream === core('old'))).toMatchObject({
      status: 'stale',
      confidence: 0,
      dispositions: ['expired:not_observed'],
    });
    expect(shown((await ask('a', { min_confidence: '0.8' })).downstream)).toEqual([[core('new'), 1]]);
    expect((await ask('a', { min_confidence: '0.81' })).downstream).toEqual([]);
  });
});

describe('the blast radius', () => {
  it('counts the relations, depths and schemas that were explored', async () => {
    await place.emit([
      runEvent(place.namespace, [core('a')], ['crm.bi.b'], { job: '1', columns: { x: [[core('a'), 'v']] } }),
      runEvent(place.namespace, ['crm.bi.b'], ['crm.bi.c'], { job: '2', columns: { y: [['crm.bi.b', 'x']] } }),
      runEvent(place.namespace, ['crm.bi.b'], ['crm.ml.d'], { job: '3', columns: { z: [['crm.bi.b', 'other']] } }),
    ]);
    const { blast_radius } = await ask('a', { column_ref: 'v', direction: 'downstream' });
    expect(blast_radius).toEqual({
      relations: 2,
      columns: 2,
      by_depth: [1, 1],
      by_schema: { 'crm.bi': 2 },
      max_depth_reached: 2,
      stale_edges: 0,
    });
  });
});

describe('a root that', () => {
  it('has no graph, or is missing in it, is reported by graph_found and has_lineage (C-IMPACT-12)', async () => {
    expect(await ask('a')).toMatchObject({ graph_found: false, has_lineage: false });
    await edges([['a', 'b']]);
    expect(await ask('nowhere')).toMatchObject({ graph_found: true, has_lineage: false });
    expect(await ask('a', { direction: 'upstream' })).toMatchObject({ graph_found: true, has_lineage: false });
    expect(await ask('a')).toMatchObject({ graph_found: true, has_lineage: true });
  });
});

describe('a relation of two sources', () => {
  it('is one node, however each source spells its name (C-IDENTITY-4)', async () => {
    const { record } = await createConnector(world.operator, place.workspace, {
      name: 'snow',
      kind: 'snowflake',
      namespaces: ['snowflake://org-account'],
    });
    const node = (alias: string, on: readonly string[]) => ({
      resource_type: 'model',
      database: 'crm',
      schema: 'core',
      alias,
      depends_on: { nodes: on.map((one) => `model.${one}`) },
    });
    const manifest = {
      metadata: { adapter_type: 'snowflake' },
      nodes: { 'model.a': node('a', []), 'model.b': node('b', ['a']) },
      sources: {},
    };
    await place.declare('/v1/lineage/dbt/manifest', { connector_id: record.id, manifest });
    await place.emit(runEvent('snowflake://org-account', ['CRM.CORE.B'], ['CRM.CORE.C']));
    const answer = await ask('a', { connector_id: record.id, relation_ref: 'Crm.Core.A' });
    expect(answer.downstream.map(({ depth }) => depth)).toEqual([1, 2]);
  });
});

describe('the spellings of an instance', () => {
  it('are one: a port that is left out, the case of scheme and host (C-IDENTITY-9)', async () => {
    const host = place.namespace.slice('postgres://'.length, -':5432'.length);
    const spellings = [place.namespace, `postgres://${host}`, `POSTGRES://${host.toUpperCase()}:5432`];
    for (const [i, namespace] of spellings.entries())
      await place.emit(runEvent(namespace, [core('a')], [core(`b${i}`)]));
    const { downstream } = await ask('a');
    expect(downstream.map(({ relation_ref }) => relation_ref)).toEqual([core('b0'), core('b1'), core('b2')]);
  });
});
