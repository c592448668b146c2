import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { shardCount } from '../../shared/domain/lineage/graph/node.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const core = (table: string) => `crm.core.${table}`;
const ask = (query: Record<string, string>) => place.ask('/v1/lineage/diff', query);
async function diff(query: Record<string, string>): Promise<LineageDiff> {
  const { status, json } = await ask(query);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** The moment of the newest answer, after which everything that follows happens. */
async function moment(): Promise<string> {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: core('orders') });
  for (;;) if (new Date().toISOString() > json.as_of) return json.as_of;
}

const take = (change?: Parameters<typeof shopManifest>[0]) =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(change),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
const emit = (from: string, to: string, at?: string) =>
  place.emit(
    runEvent(place.namespace, [from], [to], { ...(at !== undefined && { at }), columns: { v: [[from, 'v']] } }),
  );

it('tells the relations, edges and columns that came and went between two moments (C-DIFF-1)', async () => {
  const start = await moment();
  await take();
  const first = await moment();
  await take((nodes, manifest) => {
    inSql(nodes, 'orders', ' join "crm"."core"."rates" r on r.currency = o.currency', '');
    inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount');
    const orders = nodes['model.shop.orders'];
    if (orders) orders.depends_on.nodes = ['model.shop.stg_orders'];
    delete nodes['model.shop.scores'];
    manifest.exposures['exposure.shop.weekly'].depends_on.nodes = ['model.shop.customers', 'model.shop.orders'];
  });
  const second = await moment();
  const created = await diff({ from: start, to: first });
  expect(created.summary).toMatchObject({
    relations: { added: 7, removed: 0 },
    edges: { added: 6, removed: 0, changed: 0 },
  });
  expect(created).toMatchObject({
    grade: 'safe',
    from: { kind: 'moment', as_of: start },
    to: { as_of: first },
    next_cursor: null,
  });
  const answer = await diff({ from: first, to: second });
  expect(answer.edges.map(({ change, upstream, downstream }) => [change, upstream, downstream])).toEqual([
    ['removed', core('rates'), core('orders')],
    ['changed', core('stg_orders'), core('orders')],
    ['removed', core('customers'), core('scores')],
    ['added', core('orders'), 'exposure.shop.weekly'],
  ]);
  expect(answer.relations.filter(({ change }) => change === 'removed').map((one) => one.relation_ref)).toEqual([
    core('rates'),
    core('scores'),
  ]);
  // The maps of the first moment are gone from the store: its manifest is read again.
  expect(answer.columns.find(({ column }) => column === 'gross')).toMatchObject({
    change: 'changed',
    relation_ref: core('orders'),
    grade: 'risky',
    before: [
      { relation_ref: core('rates'), column: 'rate', type: 'DIRECT', subtype: 'TRANSFORMATION' },
      { relation_ref: core('stg_orders'), column: 'amount', type: 'DIRECT', subtype: 'TRANSFORMATION' },
    ],
    after: [{ relation_ref: core('stg_orders'), column: 'amount', type: 'DIRECT', subtype: 'IDENTITY' }],
  });
  expect(answer.precision.reasons.map(({ reason }) => reason)).not.toContain('column_map_of_that_time_not_kept');
  expect(await diff({ from: second })).toMatchObject({ relations: [], edges: [], columns: [], grade: 'safe' });
});

it('is not evaluated if the graph was empty at both moments (C-CLAIM-3)', async () => {
  const start = await moment();
  const before = await diff({ from: daysAgo(2), to: daysAgo(1) });
  expect(before).toMatchObject({ grade: 'not_evaluated', not_evaluated: { reason: 'no_base' } });
  expect(before.claim).toMatchObject({ kind: 'not_evaluated', limits: [{ code: 'no_base' }] });
  await take();
  expect(await diff({ from: daysAgo(2), to: daysAgo(1) })).toMatchObject({ grade: 'not_evaluated' });
  expect(await diff({ from: start, to: await moment() })).toMatchObject({ grade: 'safe', not_evaluated: null });
});

it('breaks what still reads a relation that nothing makes any more', async () => {
  await take();
  await emit(core('customers'), 'crm.bi.kpi');
  const before = await moment();
  await take((nodes, manifest) => {
    for (const model of ['customers', 'scores']) delete nodes[`model.shop.${model}`];
    manifest.exposures['exposure.shop.weekly'].depends_on.nodes = ['model.shop.orders'];
  });
  const { relations } = await diff({ from: before });
  expect(relations[0]).toMatchObject({
    change: 'changed',
    relation_ref: core('customers'),
    reasons: expect.arrayContaining(['no_longer_made']),
    grade: 'breaking',
    breaks: [{ relation_ref: 'crm.bi.kpi', grade: 'breaking', depth: 1 }],
  });
});

/** A time within the history that can be asked about. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

it('compares by observation time of runs, one page at a time', async () => {
  const tables = Array.from({ length: 9 }, (_, i) => core(`t${i}`));
  for (const [i, to] of tables.slice(1).entries()) await emit(tables[i] ?? '', to, daysAgo(30 - i));
  const query = { from: daysAgo(28.5), to: daysAgo(26.5) };
  const whole = await diff(query);
  expect(whole.edges.map(({ downstream }) => downstream)).toEqual([core('t3'), core('t4')]);
  expect(whole.relations.map(({ change, relation_ref }) => [change, relation_ref])).toEqual([
    ['added', core('t3')],
    ['added', core('t4')],
  ]);
  const paged: LineageDiff['edges'] = [];
  let cursor: string | null = null;
  do {
    const page: LineageDiff = await diff({ ...query, limit: '1', ...(cursor !== null && { cursor }) });
    expect(page.edges.length).toBeLessThanOrEqual(1);
    paged.push(...page.edges);
    cursor = page.next_cursor;
    if (cursor !== null)
      for (const other of [{ from: daysAgo(28) }, { to: daysAgo(26) }])
        expect((await ask({ ...query, ...other, cursor })).status).toBe(422);
  } while (cursor !== null);
  expect(paged.map(({ downstream }) => downstream).toSorted()).toEqual([core('t3'), core('t4')]);
});

it('compares up to the moment of its first page, if none is requested (C-READ-3)', async () => {
  for (const to of ['t0', 't1', 't2']) await emit(core('s'), core(to), daysAgo(1));
  const first = await diff({ from: daysAgo(2), limit: '1' });
  const second = await diff({ from: first.from.as_of ?? '', limit: '1', cursor: first.next_cursor ?? '' });
  expect(second.to.as_of).toBe(first.to.as_of);
});

it('is refused if the moments, the cursor or the caller’s rights are invalid', async () => {
  const at = daysAgo(2);
  expect((await ask({ from: at, to: at })).json.detail.errors[0].path).toBe('/query/from');
  expect((await ask({ from: at, cursor: 'forged' })).json.detail.errors[0].path).toBe('/query/cursor');
  expect((await ask({ from: at, connector_id: 'nope' })).json.detail.code).toBe('not_found');
  expect((await ask({ from: at, workspace_id: (await world.place()).workspace })).status).toBe(403);
  expect((await ask({})).status).toBe(422);
});

it('ends a page of a comparison with an empty graph when it is full, and not when the graph ends', async () => {
  const tables = Array.from({ length: 60 }, (_, i) => core(`t${i}`));
  await place.emit(runEvent(place.namespace, [core('source')], tables));
  const page = await diff({ from: daysAgo(2), limit: '1' });
  expect(page.edges).toHaveLength(1);
  expect(page.cost.requests).toBeLessThan(shardCount);
});
