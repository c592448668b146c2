import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { describeDiff } from '../../cli/diff/describe-diff.ts';
import type { EdgeExplanation } from '../../shared/contract/explain.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { diffReport } from '../../shared/domain/lineage/report/diff-report.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { shop, shopNamespace } from '../support/dbt-ol-shop.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { excludeProvider } from '../support/put-policy.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
async function newPlace(): Promise<LineagePlace> {
  const place = await world.place({ kind: 'duckdb', namespaces: [shopNamespace] });
  await linkProject(world.operator, place.workspace, 'shop');
  return place;
}

type Event = ReturnType<typeof shop.build>[number];
type Manifest = typeof shop.manifest;

const declare = async (place: LineagePlace, manifest: object = shop.manifest) => {
  const { status, json } = await place.declare('/v1/lineage/dbt/manifest', {
    ...{ manifest, project_id: 'shop', completeness: 'complete' },
    source_event_key: randomUUID(),
  });
  expect(status, JSON.stringify(json)).toBe(202);
};
const orders = 'shop.main.fct_orders';
const ofModel =
  (model: string) =>
  ({ job }: Event) =>
    job.name.includes(`.shop.${model}`);

/** The shop's runs; of one model, those of a changed event. */
function runs(model: string, change: (event: Event) => Event | null): Event[] {
  const changed = shop.build().flatMap((event) => (ofModel(model)(event) ? (change(event) ?? []) : event));
  expect(changed).not.toEqual(shop.build());
  return changed;
}

const without = (manifest: Manifest, model: string, dependency: string): object => {
  const copy = structuredClone(manifest) as { nodes: Record<string, { depends_on: { nodes: string[] } }> };
  const node = copy.nodes[`model.shop.${model}`];
  const left = node?.depends_on.nodes.filter((one) => !one.endsWith(`.${dependency}`)) ?? [];
  expect(left.length).toBe((node?.depends_on.nodes.length ?? 0) - 1);
  if (node) node.depends_on.nodes = left;
  return copy;
};

const saysWhatIsLeftOut = ({ claim }: Pick<ImpactAnswer, 'claim'>) =>
  claim.limits.some(({ code, blocks }) => code === 'other_verdicts' && !blocks);

const impact = async (place: LineagePlace, query: Record<string, string | string[]> = {}): Promise<ImpactAnswer> => {
  const { status, json } = await place.ask('/v1/lineage/impact', {
    relation_ref: orders,
    direction: 'upstream',
    max_depth: '1',
    ...query,
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};

/** The verdicts of the edges by their upstream ends. */
async function judged(place: LineagePlace, query: Record<string, string | string[]> = {}) {
  const { edges } = await impact(place, query);
  return Object.fromEntries(
    edges.map(({ upstream, verdict, verdict_reason }) => [
      upstream.replace('shop.main.', ''),
      verdict_reason ? `${verdict}: ${verdict_reason}` : verdict,
    ]),
  );
}

describe('the verdict of an edge', () => {
  it('is confirmed if a project declares it and a run has it (C-VERDICT-1)', async () => {
    const place = await newPlace();
    await declare(place);
    expect(await judged(place)).toEqual({
      stg_orders: 'declared_only: not_covered',
      stg_payments: 'declared_only: not_covered',
    });
    await place.emit(shop.build());
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'confirmed' });
    const { summary, edges } = await impact(place, { direction: 'both', max_depth: '5' });
    expect(summary.verdicts.confirmed).toBe(edges.filter(({ verdict }) => verdict === 'confirmed').length);
    expect(Object.values(summary.verdicts).reduce((sum, one) => sum + one)).toBe(edges.length);
  });

  it('says that no run has a declared edge only if runs of its model were reported since (C-VERDICT-3)', async () => {
    const place = await newPlace();
    const query = 'select order_id from "shop"."main"."stg_orders"';
    const withoutPayments = (event: Event): Event => ({
      ...event,
      inputs: event.inputs.filter(({ name }) => !name.endsWith('stg_payments')),
      outputs: event.outputs.map((output) => ({ ...output, facets: {} })),
      job: { ...event.job, facets: { ...event.job.facets, sql: { ...Object(event.job.facets['sql']), query } } },
    });
    // Before the declaration took effect.
    await place.emit(runs('fct_orders', withoutPayments));
    await declare(place);
    expect(await judged(place)).toMatchObject({ stg_payments: 'declared_only: not_covered' });
    await place.emit(runs('fct_orders', withoutPayments));
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'declared_only: never_observed' });
  });

  it('takes neither the runs of other models nor statements of another job for coverage (C-VERDICT-3)', async () => {
    const place = await newPlace();
    await declare(place);
    await place.emit(runs('fct_orders', () => null));
    await place.emit(runEvent(shopNamespace, ['shop.main.stg_orders'], [orders], { job: 'by hand' }));
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'declared_only: not_covered' });
  });

  it('is contradicted if the project that declares the downstream relation lacks what a run had (C-VERDICT-2)', async () => {
    const place = await newPlace();
    await declare(place);
    await place.emit(shop.build());
    await place.emit(runEvent(shopNamespace, ['shop.main.hook'], [orders, 'shop.main.audit'], { job: 'hook' }));
    expect(await judged(place)).toMatchObject({ hook: 'contradicted', stg_orders: 'confirmed' });
    // No project declares this one.
    expect(await judged(place, { relation_ref: 'shop.main.audit' })).toEqual({ hook: 'observed_only' });
    await declare(place, without(shop.manifest, 'fct_orders', 'stg_payments'));
    expect(await judged(place)).toMatchObject({ stg_payments: 'contradicted', stg_orders: 'confirmed' });
  });

  it('is not contradicted by a partial delivery (C-VERDICT-2)', async () => {
    const place = await newPlace();
    const partial = { manifest: without(shop.manifest, 'fct_orders', 'stg_payments'), completeness: 'partial' };
    await place.declare('/v1/lineage/dbt/manifest', partial);
    await place.emit(shop.build());
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'observed_only' });
  });

  it('ignores suppressed evidence (C-VERDICT-1)', async () => {
    const place = await newPlace();
    await declare(place, without(shop.manifest, 'fct_orders', 'stg_payments'));
    await place.emit(shop.build());
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'contradicted' });
    await excludeProvider(place, 'dbt_manifest');
    expect(await judged(place)).toEqual({ stg_orders: 'observed_only', stg_payments: 'observed_only' });
    await excludeProvider(place, 'openlineage');
    expect(await judged(place)).toEqual({ stg_orders: 'declared_only: not_covered', stg_payments: null });
  });

  it('is that of the moment in as_of (C-VERDICT-1)', async () => {
    const place = await newPlace();
    await declare(place);
    const declared = (await impact(place)).as_of;
    await place.emit(shop.build());
    expect(await judged(place, { as_of: declared })).toMatchObject({ stg_orders: 'declared_only: not_covered' });
    const confirmed = (await impact(place)).as_of;
    await declare(place, without(shop.manifest, 'fct_orders', 'stg_payments'));
    expect(await judged(place, { as_of: confirmed })).toEqual({ stg_orders: 'confirmed', stg_payments: 'confirmed' });
    expect(await judged(place)).toEqual({ stg_orders: 'confirmed', stg_payments: 'contradicted' });
  });

  it('does not depend on the order of arrival (C-VERDICT-1)', async () => {
    const manifest = without(shop.manifest, 'fct_orders', 'stg_payments');
    const late = runs('stg_orders', () => null).map((event) => ({ ...event, eventTime: '2026-11-01T00:00:00Z' }));
    const hook = runEvent(shopNamespace, ['shop.main.hook'], [orders], { at: '2026-11-02T00:00:00Z' });
    const steps: Record<string, (place: LineagePlace) => Promise<unknown>> = {
      manifest: (place) => declare(place, manifest),
      runs: (place) => place.emit(late),
      hook: (place) => place.emit(hook),
    };
    const names = Object.keys(steps);
    const found = new Set<string>();
    const whole = { direction: 'both', max_depth: '10' };
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (order) => {
        const place = await newPlace();
        for (const name of order) await steps[name]?.(place);
        const { edges, summary } = await impact(place, whole);
        const shown = edges.map(({ upstream, downstream, verdict, verdict_reason }) => [
          ...[upstream, downstream],
          ...[verdict, verdict_reason],
        ]);
        found.add(JSON.stringify([shown, summary]));
      }),
      { numRuns: 4 },
    );
    expect(found.size).toBe(1);
    expect([...found].join()).toContain('"contradicted",null');
  });

  it('is that of a changed edge, whose comparison names what only runs know there (C-DIFF-10)', async () => {
    const place = await newPlace();
    await declare(place);
    await place.emit(shop.build());
    await place.emit(runEvent(shopNamespace, ['shop.main.hook'], [orders], { job: 'hook' }));
    await place.emit(runEvent(shopNamespace, [orders], ['shop.main.audit'], { job: 'audit' }));
    const before = (await impact(place)).as_of;
    const undeclared = {
      edges: [
        { upstream: orders, downstream: 'shop.main.audit', verdict: 'observed_only' },
        { upstream: 'shop.main.hook', downstream: orders, verdict: 'contradicted' },
      ],
      complete: true,
    };
    const manifest = without(shop.manifest, 'fct_orders', 'stg_payments');
    const branch = await place.post('/v1/lineage/diff', { manifest, project_id: 'shop' });
    const payments = { upstream: 'shop.main.stg_payments', downstream: orders };
    // The statement still reads it.
    const read = { ...payments, downstream: 'undeclared read by model.shop.fct_orders' };
    expect(branch.json.edges).toMatchObject([
      { change: 'removed', ...payments, verdict: 'confirmed' },
      { change: 'added', ...read, verdict: null },
    ]);
    expect(branch.json.undeclared).toEqual(undeclared);
    expect(diffReport(branch.json, { heading: '' })).toContain(
      'This change touches edges that only runs know: `shop.main.fct_orders` → `shop.main.audit`,',
    );
    expect(describeDiff(branch.json, picocolors.createColors(false))).toContain(
      'touches edges that only runs know: shop.main.fct_orders →',
    );
    await place.emit(runEvent(shopNamespace, ['shop.main.late'], [orders], { job: 'late' }));
    const times = await place.ask('/v1/lineage/diff', { from: before });
    const late = { upstream: 'shop.main.late', downstream: orders };
    expect(times.json.edges).toMatchObject([
      { change: 'added', ...late, verdict: 'contradicted', verdict_reason: null },
    ]);
    expect(times.json.undeclared.edges).toContainEqual({ ...late, verdict: 'contradicted' });
    // An edge that no source has yet has no verdict, and nothing undeclared is at a relation without changes.
    const unchanged = await place.post('/v1/lineage/diff', { manifest: shop.manifest, project_id: 'shop' });
    expect(unchanged.json.undeclared).toEqual({ edges: [], complete: true });
  });

  it('is that of the edges of one relation, with counts and a filter (C-RELATION-6)', async () => {
    const place = await newPlace();
    await declare(place);
    await place.emit(shop.build());
    await place.emit(runEvent(shopNamespace, ['shop.main.hook'], [orders], { job: 'hook' }));
    const relation = async (query: Record<string, string | string[]> = {}) =>
      (await place.ask('/v1/lineage/relation', { relation_ref: orders, ...query })).json;
    const whole = await relation();
    expect(whole.edges.slice(0, 3)).toEqual(
      ['hook', 'stg_orders', 'stg_payments'].map((name) => ({
        ...{ upstream: `shop.main.${name}`, downstream: orders },
        ...{ verdict: name === 'hook' ? 'contradicted' : 'confirmed', verdict_reason: null },
      })),
    );
    const { summary } = await impact(place, { direction: 'both' });
    expect([whole.summary, whole.edges_complete]).toEqual([summary, true]);
    const only = await relation({ verdict: ['contradicted', 'declared_only'] });
    const isOfThese = ({ verdict }: { readonly verdict: string }) =>
      ['contradicted', 'declared_only'].includes(verdict);
    expect(only).toMatchObject({ edges: whole.edges.filter(isOfThese), summary });
    expect([whole, only].map(saysWhatIsLeftOut)).toEqual([false, true]);
    const { status } = await place.ask('/v1/lineage/relation', { relation_ref: orders, verdict: 'phantom' });
    expect(status).toBe(422);
  });

  it('is counted for the source of the runs, if a project makes a relation of the edge (C-GAP-11)', async () => {
    const place = await newPlace();
    const undeclared = async () =>
      [...(await sweepPorts().survey(place.workspace, new Date())).values()].flatMap((one) => one.undeclared ?? []);
    await place.emit(shop.build());
    await place.emit(runEvent(shopNamespace, ['shop.main.hook'], [orders], { job: 'hook' }));
    await place.emit(runEvent(shopNamespace, [orders], ['shop.main.audit'], { job: 'audit' }));
    await place.emit(runEvent(shopNamespace, ['shop.main.x'], ['shop.main.y'], { job: 'elsewhere' }));
    expect(await undeclared()).toEqual([]);
    await declare(place);
    const edges = [
      { upstream: orders, downstream: 'shop.main.audit', verdict: 'observed_only' },
      { upstream: 'shop.main.hook', downstream: orders, verdict: 'contradicted' },
    ];
    expect(await undeclared()).toEqual([{ count: 2, edges }]);
    await excludeProvider(place, 'openlineage');
    expect(await undeclared()).toEqual([]);
  });

  it('is shown by an explanation and by a mapping too, and selects edges (C-VERDICT-4, C-VERDICT-5)', async () => {
    const place = await newPlace();
    await declare(place);
    const mapped = 'shop.main.stg_orders';
    const columns = { order_id: [[mapped, 'order_id']], amount: [[mapped, 'status']] } as const;
    await place.emit(runEvent(shopNamespace, [mapped], [orders], { columns }));
    const explained = await place.ask('/v1/lineage/edges/explain', { upstream: mapped, downstream: orders });
    expect(explained.json).toMatchObject({ verdict: 'confirmed', verdict_reason: null });
    const { evidence } = explained.json as EdgeExplanation;
    const told = evidence.flatMap((one) => one.columns.map((of) => [one.provider_type, of.upstream, of.verdict]));
    expect(told).toEqual(
      expect.arrayContaining([
        ['dbt_manifest', 'order_id', 'confirmed'],
        ['dbt_manifest', 'customer_id', 'declared_only'],
        ['openlineage', 'status', 'contradicted'],
      ]),
    );
    const { edges } = await impact(place, { column_ref: ['order_id', 'amount', 'customer_id'] });
    const mappings = edges.find(({ upstream }) => upstream === mapped)?.columns ?? [];
    const verdictOf = (from: string, to: string) => {
      const one = mappings.find(({ upstream, downstream }) => upstream === from && downstream === to);
      return [one?.verdict, one?.verdict_reason];
    };
    expect(verdictOf('order_id', 'order_id')).toEqual(['confirmed', null]);
    // The facet of the run leaves the column out, so that it may have been computed.
    expect(verdictOf('customer_id', 'customer_id')).toEqual(['declared_only', 'not_covered']);
    expect(verdictOf('status', 'amount')).toEqual(['contradicted', null]);
    // No run since the newest declaration was reported: which columns one would read is not known.
    await declare(place);
    const again = (await impact(place, { column_ref: 'customer_id' })).edges.flatMap((edge) => edge.columns);
    expect(again).toContainEqual(
      expect.objectContaining({ upstream: 'customer_id', downstream: 'customer_id', verdict_reason: 'not_covered' }),
    );
    const whole = await impact(place, { direction: 'both', max_depth: '3' });
    const only = await impact(place, { direction: 'both', max_depth: '3', verdict: ['confirmed', 'contradicted'] });
    expect(only.edges).toEqual(whole.edges.filter(({ verdict }) => verdict === 'confirmed'));
    expect(only.upstream.map(({ relation_ref }) => relation_ref)).toEqual([mapped]);
    expect([only.downstream, only.summary, only.blast_radius]).toEqual([[], whole.summary, whole.blast_radius]);
  });
});
