import { describe, expect, it } from 'vitest';
import type { EvidenceScope } from '../../shared/contract/scopes.ts';
import { askForRewrite } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { projections } from '../../shared/runtime/composition/stores.ts';
import { rewritePorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const core = (table: string) => `crm.core.${table}`;
const dbt = '/v1/lineage/dbt/manifest';

/** A project with one model of each name, made of `raw`. */
function project(...models: readonly string[]) {
  const relation = { database: 'crm', schema: 'core' };
  return {
    metadata: { adapter_type: 'postgres' },
    sources: { 'source.s.raw': { resource_type: 'source', ...relation, identifier: 'raw', name: 'raw' } },
    nodes: Object.fromEntries(
      models.map((name) => [
        `model.s.${name}`,
        {
          ...{ resource_type: 'model', ...relation, alias: name, name },
          compiled_code: `select id from crm.core.raw`,
          depends_on: { nodes: ['source.s.raw'] },
        },
      ]),
    ),
  };
}

let keys = 0;
const complete = (...models: readonly string[]) => ({
  manifest: project(...models),
  project_id: 'crm',
  completeness: 'complete',
  source_event_key: `forget-${keys++}`,
});

const jobEvent = (namespace: string, to: string, eventTime = new Date().toISOString()) => ({
  eventTime,
  producer: 'https://example.com/test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
  job: { namespace: 'jobs', name: 'designed' },
  inputs: [{ namespace, name: core('raw') }],
  outputs: [{ namespace, name: core(to) }],
});

async function downstream(at: object = {}, from: LineagePlace = place): Promise<string[]> {
  const { status, json } = await from.ask('/v1/lineage/impact', {
    relation_ref: core('raw'),
    direction: 'downstream',
    ...at,
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.downstream.map(({ relation_ref }: { relation_ref: string }) => relation_ref.slice('crm.core.'.length));
}

/** A moment after all that was answered, before all that follows. */
async function moment(): Promise<string> {
  const at = new Date().toISOString();
  for (;;) if (new Date().toISOString() > at) return at;
}

async function scopes(from: LineagePlace = place, query: Record<string, string> = {}): Promise<EvidenceScope[]> {
  const { status, json } = await from.ask('/v1/lineage/scopes', query, { token: from.tokens.admin });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.items;
}
const keyOf = async (kind: EvidenceScope['kind'], from: LineagePlace = place): Promise<string> =>
  (await scopes(from)).find((one) => one.kind === kind && !one.scope_key.endsWith(':schemas'))?.scope_key ?? '';

type Forgetting = { readonly dry_run?: boolean; readonly from?: LineagePlace; readonly token?: string };

async function forget(scope_key: string, { dry_run = false, from = place, token }: Forgetting = {}) {
  const body = { workspace_id: from.workspace, scope_key, dry_run };
  return from.post('/v1/lineage/scopes/forget', body, { token: token ?? from.tokens.admin, body });
}

type Kind = {
  readonly kind: EvidenceScope['kind'];
  /** States that `raw` feeds a table. */
  readonly state: (to: string, from?: LineagePlace) => Promise<unknown>;
};
const kinds: readonly Kind[] = [
  { kind: 'snapshots', state: (to, from = place) => from.declare(dbt, complete(to)) },
  { kind: 'design', state: (to, from = place) => from.emit(jobEvent(from.namespace, to)) },
  { kind: 'runs', state: (to, from = place) => from.emit(run(from, to)) },
];
const run = (from: LineagePlace, to: string, at = new Date().toISOString()) =>
  runEvent(from.namespace, [core('raw')], [core(to)], { job: 'nightly', at });

describe('events that were sent before their job was forgotten', () => {
  it('are no duplicate afterwards, and the delivery says that they count no longer (C-INGEST-17)', async () => {
    const events = run(place, 'mart');
    const first = (await place.emit(events)).json;
    expect((await place.emit(events)).json).toMatchObject({ delivery_id: first.delivery_id, duplicate: true });
    await forget(await keyOf('runs'));
    const again = (await place.emit(events)).json;
    expect(again).toMatchObject({ duplicate: false });
    expect(again.delivery_id).not.toBe(first.delivery_id);
    expect((await place.receipt(again.delivery_id)).ignored).toMatchObject([{ reason: 'forgotten', count: 1 }]);
    expect(await downstream()).toEqual([]);
    expect((await place.emit(events)).json).toMatchObject({ delivery_id: again.delivery_id, duplicate: true });
  });
});

describe.each(kinds)('forgetting the $kind of a source', ({ kind, state }) => {
  it('retracts nothing without dry_run: false, and lists what it would retract (C-FORGET-2)', async () => {
    await state('mart');
    const { status, json } = await forget(await keyOf(kind), { dry_run: true });
    expect([status, json]).toMatchObject([200, { dry_run: true, already_forgotten: false }]);
    expect(json.scope).toMatchObject({ kind, edges: 1, relations: 2, forgotten_at: null });
    expect(await downstream()).toEqual(['mart']);
  });

  it('retracts exactly the evidence of the scope, which questions about the past still see (C-FORGET-3, C-FORGET-4)', async () => {
    await state('mart');
    const others = kinds.filter((one) => one.kind !== kind);
    for (const other of others) await other.state(`by_${other.kind}`);
    const before = await moment();
    const all = ['by_design', 'by_runs', 'by_snapshots', 'mart'].filter((name) => name !== `by_${kind}`);
    expect(await downstream()).toEqual(all);
    expect((await forget(await keyOf(kind))).status).toBe(200);
    expect(await downstream()).toEqual(all.filter((name) => name !== 'mart'));
    expect(await downstream({ as_of: before })).toEqual(all);
    const [forgotten] = (await scopes()).filter(({ forgotten_at }) => forgotten_at !== null);
    expect(forgotten).toMatchObject({ kind, edges: 0, last_observed_at: null });
  });

  it('takes what the source states later, and forgets that too when requested again (C-FORGET-3, C-FORGET-4)', async () => {
    await state('mart');
    const key = await keyOf(kind);
    await forget(key);
    const between = await moment();
    await state('later');
    expect(await downstream()).toEqual(['later']);
    const after = await moment();
    expect((await forget(key)).json).toMatchObject({ already_forgotten: false });
    expect(await downstream()).toEqual([]);
    expect(await downstream({ as_of: between })).toEqual([]);
    expect(await downstream({ as_of: after })).toEqual(['later']);
  });

  it('changes nothing when it comes twice (C-FORGET-2)', async () => {
    await state('mart');
    const key = await keyOf(kind);
    const [first, second] = [await forget(key), await forget(key)];
    expect([first.json.already_forgotten, second.json.already_forgotten]).toEqual([false, true]);
    expect(second.json.scope.forgotten_at).toBe(first.json.scope.forgotten_at);
  });

  it('does not affect other workspaces, and is only for admins (C-FORGET-1)', async () => {
    const other = await world.place();
    await state('mart');
    await state('mart', other);
    const key = await keyOf(kind);
    const status = async (parts: Forgetting) => (await forget(key, parts)).status;
    expect(await status({ token: place.tokens.editor })).toBe(403);
    expect(await status({ from: other })).toBe(404);
    expect(await status({ from: other, token: place.tokens.admin })).toBe(403);
    expect(await status({})).toBe(200);
    expect([await downstream(), await downstream({}, other)]).toEqual([[], ['mart']]);
  });

  it('leaves it out of a graph that is made again, now and of the past alike (C-FORGET-5)', async () => {
    await state('mart');
    const before = await moment();
    await forget(await keyOf(kind));
    const graph = { ...rewritePorts(), queue: projections() };
    const { default_schema } = place.connector;
    for (const schema of ['elsewhere', default_schema ?? ''])
      await updateConnector(world.operator, place.workspace, place.connector.id, { default_schema: schema });
    await askForRewrite(graph, place.workspace);
    await world.settle();
    const { generation, rewrite } = (await graph.graphs.find(place.workspace))?.record ?? {};
    expect([(generation ?? 0) > 0, rewrite === null || rewrite?.state === 'closing']).toEqual([true, true]);
    expect(await downstream()).toEqual([]);
    expect(await downstream({ as_of: before })).toEqual(['mart']);
    await state('later');
    expect(await downstream()).toEqual(['later']);
  });

  it('is in the audit, with who and what (C-FORGET-2)', async () => {
    await state('mart');
    const key = await keyOf(kind);
    await forget(key);
    const [newest] = await world.operator.registry.audit.latest(place.workspace, 1);
    expect(newest).toMatchObject({ action: 'scope.forget', subject: { scope_key: key, edges: 1, relations: 2 } });
    expect(newest?.actor).toContain('admin');
  });
});

describe('evidence that is forgotten', () => {
  it('does not come back by a snapshot that was accepted before and is worked later (C-FORGET-3)', async () => {
    await place.declare(dbt, complete('mart'));
    const key = await keyOf('snapshots');
    await place.accept(dbt, complete('mart', 'late'));
    await forget(key);
    await world.settle();
    expect(await downstream()).toEqual([]);
  });

  it('does not come back by a duplicate, and comes back if its content is sent anew (C-FORGET-3)', async () => {
    const snapshot = complete('mart');
    await place.declare(dbt, snapshot);
    await forget(await keyOf('snapshots'));
    expect((await place.declare(dbt, snapshot)).json.duplicate).toBe(true);
    expect(await downstream()).toEqual([]);
    await place.declare(dbt, { ...snapshot, source_event_key: 'anew' });
    expect(await downstream()).toEqual(['mart']);
  });

  it('comes back by a partial delivery of the same content, which is no duplicate then (C-FORGET-3)', async () => {
    const partial = { manifest: project('mart') };
    await place.declare(dbt, partial);
    await forget(await keyOf('snapshots'));
    expect(await downstream()).toEqual([]);
    expect((await place.declare(dbt, partial)).json.duplicate).toBe(false);
    expect(await downstream()).toEqual(['mart']);
  });

  it('is retracted by no later snapshot again: none is held for that it shrinks (C-FORGET-3)', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `mart${i}`);
    const guard = { shrink_guard: { mode: 'hold', share: 0.3 } } as const;
    await updateConnector(world.operator, place.workspace, place.connector.id, guard);
    await place.declare(dbt, complete(...many));
    await forget(await keyOf('snapshots'));
    await place.declare(dbt, complete('mart0'));
    expect(await downstream()).toEqual(['mart0']);
  });

  it('does not come back by events of that time that arrive late, again or in another run (C-FORGET-3)', async () => {
    const then = new Date(Date.now() - 60_000).toISOString();
    const [first, declared] = [run(place, 'mart', then), jobEvent(place.namespace, 'mart', then)];
    await place.emit([first, declared]);
    for (const kind of ['runs', 'design'] as const) await forget(await keyOf(kind));
    await place.emit([first, declared]);
    await place.emit(run(place, 'mart', new Date(Date.now() - 30_000).toISOString()));
    await place.emit(jobEvent(place.namespace, 'mart', new Date(Date.now() - 30_000).toISOString()));
    expect(await downstream()).toEqual([]);
    await place.emit(run(place, 'mart'));
    expect(await downstream()).toEqual(['mart']);
  });

  it('does not keep a name ambiguous or the coverage of an answer complete (C-FORGET-6)', async () => {
    await place.declare(dbt, complete('mart'));
    const coverage = async () =>
      (await place.ask('/v1/lineage/impact', { relation_ref: core('raw') })).json.coverage.scopes.length;
    expect(await coverage()).toBe(1);
    const compared = async () =>
      (await place.post('/v1/lineage/diff', { manifest: project('mart'), project_id: 'crm' })).json.from.found;
    expect(await compared()).toBe(true);
    await forget(await keyOf('snapshots'));
    expect([await coverage(), await compared()]).toEqual([0, false]);
    await place.declare(dbt, complete('mart'));
    expect([await coverage(), await compared()]).toEqual([1, true]);
  });
});

describe('the scopes of a workspace', () => {
  it('are listed by connector and words, page by page (C-FORGET-1)', async () => {
    for (const { state } of kinds) await state('mart');
    const all = await scopes();
    expect(all.map(({ kind }) => kind).sort()).toEqual(['design', 'runs', 'snapshots']);
    expect(await scopes(place, { q: 'NIGHTLY' })).toEqual(all.filter(({ kind }) => kind === 'runs'));
    const paged: EvidenceScope[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: Record<string, string> = { limit: '1', ...(cursor !== '' && { cursor }) };
      const { json } = await place.ask('/v1/lineage/scopes', query, { token: place.tokens.admin });
      paged.push(...json.items);
      cursor = json.next_cursor;
    }
    expect(paged).toEqual(all);
    const whole = { query: { workspace_id: place.workspace }, token: place.tokens.admin };
    expect((await place.ask('/v1/lineage/scopes', {}, whole)).json.items).toEqual(all);
    expect((await place.ask('/v1/lineage/scopes', {}, { token: place.tokens.editor })).status).toBe(403);
  });
});
