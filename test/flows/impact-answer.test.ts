import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { activityLog, providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { policyStore } from '../../shared/adapters/dynamodb/registry/policies.ts';
import type { ProviderInstanceId } from '../../shared/contract/ids.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { newRecount } from '../../shared/domain/lineage/policy/recount.ts';
import { nextRevision, safeRevision } from '../../shared/domain/lineage/policy/revision.ts';
import { receiptAt } from '../../shared/domain/lineage/providers/activity.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const impact = (query: Record<string, string | readonly string[]>) => place.ask('/v1/lineage/impact', query);
const manifest = (extra: object = {}) => place.declare('/v1/lineage/dbt/manifest', { manifest: crm, ...extra });
const complete = () => manifest({ completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() });
const event = (from: string, to: string) => runEvent(place.namespace, [from], [to]);

describe('the coverage of an answer', () => {
  it('tells the last complete snapshot of each declared scope, and that a partial one proves no absence', async () => {
    await manifest();
    const { json: partial } = await impact({ relation_ref: 'crm.core.accounts' });
    expect(partial.coverage).toEqual({
      feeds: [],
      feeds_checked: 1,
      scopes: [
        {
          scope_key: `connector:${place.connector.id}:dbt-project:default`,
          provider_type: 'dbt_manifest',
          provider_instance_id: expect.any(String),
          last_complete_snapshot_at: null,
        },
      ],
      suppressed: { policy: 0, expired: 0, confidence: 0 },
      complete: true,
    });
    await complete();
    const { json } = await impact({ relation_ref: 'crm.core.accounts' });
    const times = json.coverage.scopes.map(
      (one: { last_complete_snapshot_at: string }) => one.last_complete_snapshot_at,
    );
    expect(times).toEqual([expect.stringMatching(/^\d{4}-/), null]);
    const before = new Date(Date.parse(times[0]) - 1).toISOString();
    const { json: past } = await impact({ relation_ref: 'crm.core.accounts', as_of: before });
    expect(past.coverage.scopes[0].last_complete_snapshot_at).toBeNull();
  });

  it('names the feeds that are paused, and none of another workspace', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const other = await world.place();
    const { json } = await impact({ relation_ref: 'crm.core.a' });
    const [{ provider_instance_id: id }] = json.edges[0].evidence;
    await providerStore(world.table).setStatus(place.workspace, id as ProviderInstanceId, 'paused', json.as_of);
    const { json: paused } = await impact({ relation_ref: 'crm.core.a' });
    expect(paused.coverage.feeds).toEqual([
      expect.objectContaining({ provider_instance_id: id, provider_type: 'openlineage', reason: 'paused' }),
    ]);
    const { json: elsewhere } = await other.ask('/v1/lineage/impact', { relation_ref: 'crm.core.a' });
    expect(elsewhere.coverage).toEqual({
      feeds: [],
      feeds_checked: 0,
      scopes: [],
      suppressed: { policy: 0, expired: 0, confidence: 0 },
      complete: true,
    });
  });
});

it('names the feeds that are silent for longer than is usual for them, apart if they share a name', async () => {
  const now = Date.now();
  const received = new Date(now - 50 * 3_600_000).toISOString();
  const hour = Math.floor(Date.parse(received) / 3_600_000);
  const activity = { ...receiptAt(received), receipt_hours: [0, 1, 2, 3, 4].map((ago) => hour - ago) };
  for (const connector_id of [place.connector.id, null]) {
    const id = randomUUID() as ProviderInstanceId;
    await providerStore(world.table).create({
      ...{ id, workspace_id: place.workspace, connector_id, provider_type: 'query_log', display_name: 'Query log' },
      ...{ status: 'active', status_at: received },
    });
    await activityLog(world.table).record({ workspace_id: place.workspace, provider_instance_id: id }, activity);
  }
  const { json } = await impact({ relation_ref: 'crm.core.a' });
  const named = [`Query log (${place.connector.name})`, 'Query log (no connector)'];
  const quiet = { provider_type: 'query_log', reason: 'silent', last_received_at: received };
  const byName = (a: { display_name: string }, b: { display_name: string }) =>
    a.display_name < b.display_name ? -1 : 1;
  expect(json.coverage.feeds.toSorted(byName)).toMatchObject(
    named.toSorted().map((display_name) => ({ ...quiet, display_name })),
  );
  const [limit] = json.claim.limits.filter(({ code }: { code: string }) => code === 'source_quiet');
  expect(limit.subjects.toSorted()).toEqual(named.toSorted());
});

describe('the metadata of an answer', () => {
  it('says what was cut, where only tables are known, and which evidence does not count (C-READ-5)', async () => {
    await place.emit([
      event('crm.core.a', 'crm.core.b'),
      event('crm.core.b', 'crm.core.c'),
      event('crm.core.a', 'crm.core.hidden'),
    ]);
    await policyStore(world.table).commit(...suppressing('crm.core.hidden'));
    const query = { relation_ref: 'crm.core.a', column_ref: 'id', direction: 'downstream', max_depth: '1' };
    const { json } = await impact(query);
    expect(json.downstream).toMatchObject([{ relation_ref: 'crm.core.b' }]);
    expect(json.truncated).toMatchObject({ any: true, by_depth: true });
    expect(json.precision).toMatchObject({ requested: 'column', delivered: 'table' });
    expect(json.coverage.suppressed).toMatchObject({ policy: 1 });
  });

  it('is of a time that its history reaches; any other is refused (C-READ-4)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
    expect((await impact({ relation_ref: 'crm.core.b', as_of: days(-80) })).json.upstream).toEqual([]);
    for (const as_of of [days(1), days(-100), '1970-01-01T00:00:00Z', 'yesterday']) {
      const { status, json } = await impact({ relation_ref: 'crm.core.b', as_of });
      expect([status, json.detail.errors[0].path], as_of).toEqual([422, '/query/as_of']);
    }
  });
});

describe('the columns of edges, if relations are requested', () => {
  const mapped = (from: string, to: string) =>
    runEvent(place.namespace, [from], [to], { columns: { total: [[from, 'amount']] } });

  it('are those of explain, with its reason if there are none; no path of columns begins anywhere (C-IMPACT-22)', async () => {
    await place.emit([mapped('crm.core.a', 'crm.core.b'), event('crm.core.b', 'crm.core.c')]);
    const { json } = await impact({ relation_ref: 'crm.core.b' });
    expect(json.edges).toHaveLength(2);
    for (const { upstream, downstream, columns, evidence } of json.edges) {
      const { json: why } = await place.ask('/v1/lineage/edges/explain', { upstream, downstream });
      const [explained] = why.evidence;
      const judged = { verdict: 'observed_only', verdict_reason: null };
      expect(columns).toEqual(
        explained.columns.map(({ masking: _, ...one }: { masking: boolean }) => ({ ...one, ...judged })),
      );
      const [{ reason } = { reason: null }] = explained.columns_unresolved;
      expect(evidence).toMatchObject([{ columns_unresolved_reason: reason }]);
    }
    expect(json.edges).toMatchObject([
      { columns: [{ upstream: 'amount', downstream: 'total' }], evidence: [{ columns_unresolved_reason: null }] },
      { columns: [], evidence: [{ columns_unresolved_reason: 'columns_not_reported' }] },
    ]);
    expect(json).toMatchObject({ precision: { requested: 'table' }, column_lineage: { roots: [], paths: [] } });
    const { json: unknown } = await impact({ relation_ref: 'crm.core.b', column_ref: 'nope', direction: 'downstream' });
    expect(unknown.edges).toMatchObject([{ evidence: [{ columns_unresolved_reason: 'columns_not_reported' }] }]);
  });

  it('come with the relations, of however many, and cost no reads (C-IMPACT-22)', async () => {
    const readers = Array.from({ length: 101 }, (_, i) => `crm.core.r${i}`);
    await place.emit(readers.map((to) => mapped('crm.core.hub', to)));
    const ask = async (extra = {}) =>
      (await impact({ relation_ref: 'crm.core.hub', direction: 'downstream', max_nodes: '101', ...extra })).json;
    const [byTable, byColumn] = [await ask(), await ask({ column_ref: 'amount' })];
    for (const { edges } of [byTable, byColumn]) {
      const said = edges.flatMap(
        (edge: { columns: unknown[]; evidence: { columns_unresolved_reason: string | null }[] }) =>
          edge.evidence.map((one) => `${edge.columns.length} ${one.columns_unresolved_reason}`),
      );
      expect([said.length, new Set(said)]).toEqual([101, new Set(['1 null'])]);
    }
    expect(byColumn.cost).toEqual(byTable.cost);
  });
});

describe('the cost of an answer', () => {
  it('does not depend on what the process remembers, and grows with the depth (C-IMPACT-13, C-READ-2)', async () => {
    const chain = Array.from({ length: 8 }, (_, i) => `crm.core.c${i}`);
    await place.emit(chain.slice(1).map((to, i) => event(chain[i] ?? '', to)));
    const ask = () => impact({ relation_ref: 'crm.core.c0', max_depth: '7' });
    const [first, second] = [(await ask()).json, (await ask()).json];
    expect(first.downstream).toHaveLength(7);
    expect(second).toEqual({ ...first, as_of: second.as_of });
    expect(first.cost.read_units).toBeGreaterThan(0);
    expect(first.cost.requests).toBeGreaterThan(7);
    const { json: near } = await impact({ relation_ref: 'crm.core.c0', max_depth: '1' });
    expect(near.cost.read_units).toBeLessThan(first.cost.read_units);
  });
});

describe('an answer about a name that means no relation of the graph', () => {
  it('delivers nothing, for a table as for a column, and keeps the names of the graph as candidates (C-IMPACT-19)', async () => {
    await place.emit([event('crm.stage.people', 'crm.core.daily'), event('crm.raw.people', 'crm.core.daily')]);
    for (const relation_ref of ['crm.core.nowhere', 'people'])
      for (const [requested, question] of [
        ['table', {}],
        ['column', { column_ref: 'id' }],
      ] as const) {
        const { json } = await impact({ relation_ref, ...question });
        expect(json.precision, relation_ref).toEqual({ requested, delivered: 'none', reasons: [] });
        expect(json).toMatchObject({ has_lineage: false, lineage_resolution: { method: 'unresolved' } });
      }
    const { json } = await impact({ relation_ref: 'crm.core.daily' });
    expect(json.precision.delivered).toBe('table');
  });
});

describe('an answer about a column that nobody names (C-IDENTITY-13, C-IDENTITY-14)', () => {
  const mapped = (from: string, to: string, column: string) =>
    runEvent(place.namespace, [from], [to], { columns: { total: [[from, column]] } });

  it('is the answer about its table, and says why', async () => {
    await place.emit([mapped('crm.core.orders', 'crm.core.daily', 'amount')]);
    const { json } = await impact({ relation_ref: 'crm.core.orders', column_ref: 'amonut', direction: 'downstream' });
    expect(json.downstream).toMatchObject([{ relation_ref: 'crm.core.daily' }]);
    expect(json.precision).toEqual({
      requested: 'column',
      delivered: 'table',
      reasons: [{ relation_ref: 'crm.core.orders', reason: 'unknown_column' }],
    });
    expect(json.column_lineage.unresolved).toEqual([
      { relation_ref: 'crm.core.orders', column: 'amonut', reason: 'unknown_column' },
    ]);
  });

  it('keeps the proven mappings of the known columns, and counts a repeated column once (C-IMPACT-21)', async () => {
    await place.emit([
      mapped('crm.core.orders', 'crm.core.daily', 'amount'),
      mapped('crm.core.orders', 'crm.core.other', 'day'),
    ]);
    const about = (column_ref: string[]) =>
      impact({ relation_ref: 'crm.core.orders', column_ref, direction: 'downstream' });
    const { json } = await about(['amount', 'amonut']);
    expect(json.column_lineage.paths).toMatchObject([
      { upstream: { column: 'amount' }, downstream: { column: 'total' } },
    ]);
    expect(json.downstream.map((one: { relation_ref: string }) => one.relation_ref)).toEqual([
      'crm.core.daily',
      'crm.core.other',
    ]);
    expect(json.precision).toEqual({
      requested: 'column',
      delivered: 'mixed',
      reasons: [{ relation_ref: 'crm.core.orders', reason: 'unknown_column' }],
    });
    const { json: twice } = await about(['amount', 'AMOUNT']);
    expect(twice.column_lineage.roots).toEqual(['amount']);
    const { json: both } = await impact({ relation_ref: 'crm.core.orders', column_ref: 'amonut', direction: 'both' });
    expect(both.column_lineage.unresolved).toHaveLength(1);
  });

  it('says that nothing is affected if evidence names the column and nothing reads it', async () => {
    await place.emit([
      mapped('crm.core.orders', 'crm.core.daily', 'amount'),
      mapped('crm.core.daily', 'crm.core.weekly', 'day'),
    ]);
    const { json } = await impact({ relation_ref: 'crm.core.daily', column_ref: 'TOTAL', direction: 'downstream' });
    expect(json.downstream).toEqual([]);
    expect(json.precision.reasons).toEqual([]);
  });

  it('takes a column in the quotes and the case of the platform', async () => {
    await place.emit([mapped('crm.core.orders', 'crm.core.daily', 'amount')]);
    for (const column_ref of ['amount', '"amount"', 'AMOUNT']) {
      const { json } = await impact({ relation_ref: 'crm.core.orders', column_ref, direction: 'downstream' });
      expect(json.downstream).toMatchObject([{ relation_ref: 'crm.core.daily', columns: ['total'] }]);
      expect(json.precision.delivered).toBe('column');
    }
  });
});

/** The first revision of a policy that excludes a relation, and its recount. */
const suppressing = (relation: string) => revised({ schema_scope: { include: [], exclude: [relation] } });

function revised(changed: Partial<typeof safeDefaults>) {
  const first = safeRevision({ workspace_id: place.workspace, connector_id: place.connector.id });
  const filters = { ...safeDefaults, ...changed };
  const revision = nextRevision(first, { filters, fusionWeights: {}, by: 'test' }, new Date());
  return [revision, newRecount(revision, null, new Date()), new Date().toISOString()] as const;
}

it('counts the edges that it did not follow, by cause (C-IMPACT-10, C-IMPACT-11)', async () => {
  await place.emit([event('crm.core.a', 'crm.core.b'), event('crm.core.a', 'crm.core.c')]);
  const { json: all } = await impact({ relation_ref: 'crm.core.a' });
  expect(all.coverage.suppressed).toEqual({ policy: 0, expired: 0, confidence: 0 });
  const { json: sure } = await impact({ relation_ref: 'crm.core.a', min_confidence: '0.95' });
  expect(sure.downstream).toEqual([]);
  expect(sure.coverage.suppressed).toEqual({ policy: 0, expired: 0, confidence: 2 });
  expect(sure.blast_radius.stale_edges).toBe(0);
  await policyStore(world.table).commit(...suppressing('crm.core.b'));
  const { json: hidden } = await impact({ relation_ref: 'crm.core.a' });
  expect(hidden.downstream).toMatchObject([{ relation_ref: 'crm.core.c' }]);
  expect(hidden.coverage.suppressed).toEqual({ policy: 1, expired: 0, confidence: 0 });
  expect(hidden.blast_radius.stale_edges).toBe(1);
  const { json: stale } = await impact({ relation_ref: 'crm.core.a', include_stale: 'true' });
  expect(stale.coverage.suppressed.policy).toBe(0);
  expect(stale.blast_radius.stale_edges).toBe(1);
});

it('marks only the mappings whose values are masked (C-IMPACT-15)', async () => {
  const columns = { email: [['crm.core.people', 'email']], id: [['crm.core.people', 'id']] } as const;
  const sent = runEvent(place.namespace, ['crm.core.people'], ['crm.core.contacts'], { columns });
  const masked = JSON.stringify(sent).replace(/("field":"email","transformations":\[\{)/, '$1"masking":true,');
  await place.emit(JSON.parse(masked));
  const { json } = await impact({ relation_ref: 'crm.core.people', column_ref: 'email' });
  const mapping = { type: 'DIRECT', subtype: 'IDENTITY', masking: true };
  expect(json.edges[0].columns).toEqual([
    expect.objectContaining({ upstream: 'email', downstream: 'email', ...mapping }),
  ]);
  expect(json.column_lineage.paths).toEqual([expect.objectContaining(mapping)]);
  const { json: id } = await impact({ relation_ref: 'crm.core.people', column_ref: 'id' });
  expect(id.edges[0].columns).toEqual([expect.objectContaining({ upstream: 'id', downstream: 'id' })]);
  expect(id.edges[0].columns[0]).not.toHaveProperty('masking');
});
