import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gapImplementations } from '../../functions/queries/deliveries.ts';
import type { SweepFunctionPorts } from '../../functions/sweep/tasks.ts';
import { sweepTasks } from '../../functions/sweep/tasks.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { gapStore } from '../../shared/adapters/dynamodb/deliveries/gaps.ts';
import { usedNameStore } from '../../shared/adapters/dynamodb/names/used-names.ts';
import { type Gap, gapRoutes } from '../../shared/contract/gaps.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { GapType } from '../../shared/contract/vocabulary.ts';
import { scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import type { Surveyed } from '../../shared/domain/lineage/gaps/survey-graph.ts';
import type { NodeId, ScopeId } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { RecordedOrder, ScopeHead } from '../../shared/domain/lineage/graph/scope-store.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import type { Delivery } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, finishDelivery } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { findDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { recordSnapshotStatus } from '../../shared/domain/lineage/projection/snapshot-status.ts';
import { listProviders } from '../../shared/domain/lineage/providers/provider.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { table } from '../../shared/runtime/composition/stores.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { connectorWith } from '../domain/identity/connectors.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideForAll } from '../support/provide.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const world = provideForAll(startAccessWorld);
let sweep: ReturnType<typeof sweepPorts>;
let respond: ReturnType<typeof responder>;
let ports: TestPorts;
let workspace: WorkspaceId;
let tokens: Readonly<Record<'viewer' | 'editor' | 'admin', string>>;
let built = 0;

beforeAll(async () => {
  sweep = sweepPorts();
  respond = responder(gapRoutes, gapImplementations(queriesPorts()), httpPorts());
});
beforeEach(async () => {
  const name = `gaps-${built++}`;
  workspace = (await world.workspace(name)).id;
  const sign = (role: string) => world.issuer.sign(`${name}-${role}`);
  tokens = { viewer: await sign('viewer'), editor: await sign('editor'), admin: await sign('admin') };
  ports = intakePorts();
});

const hour = 60;
const at = (minutes: number) => new Date(ports.clock.at.getTime() + minutes * 60_000);
const never = () => false;
/** A scan of only this test's workspace. */
const scan = (minutes: number, change: Partial<SweepFunctionPorts> = {}) =>
  scanGaps(
    { ...sweep, workspaces: async () => [{ id: workspace }], ...change },
    { from: null, now: at(minutes), timeIsUp: never },
  );

async function accepted(minutes = 0, providerKey: string | null = null): Promise<Delivery> {
  const receipt = await acceptOpenLineage(
    { ...ports, clock: { now: () => at(minutes) } },
    {
      workspace,
      kind: 'openlineage_event',
      connectorId: 'warehouse',
      providerKey,
      idempotencyKey: randomUUID(),
      payload: { bytes: new TextEncoder().encode('{}'), contentType: 'application/json', contentEncoding: null },
    },
  );
  return findDelivery(ports, workspace, receipt.delivery_id);
}

type Worked = Extract<DeliveryOutcome, { kind: 'processed' }>;
const processed = (extra: Partial<Worked> = {}): Worked => ({
  kind: 'processed',
  quarantined: [],
  unresolved: [],
  retractedEvidenceCount: 0,
  lastEventAt: null,
  warnings: [],
  ...extra,
});
const unresolved = (reason = 'non_sql_model', assets: readonly string[] = ['model.shop.a']) => ({
  reason,
  count: assets.length,
  assets,
  assets_left_out: 0,
});
const finish = (delivery: Delivery, minutes: number, outcome: DeliveryOutcome = processed()) =>
  finishDelivery(ports, delivery, outcome, at(minutes));
/** A delivery that came and was worked at once. */
const delivered = async (minutes: number, outcome?: DeliveryOutcome) =>
  finish(await accepted(minutes), minutes, outcome);

async function provider() {
  const { items } = await listProviders(ports, workspace, {
    connectorId: null,
    status: null,
    limit: 200,
    cursor: null,
  });
  if (!items[0]) throw new Error('no provider');
  return items[0];
}

async function get(query: object = {}, parts: Parameters<typeof request>[2] = {}) {
  const all = {
    token: tokens.viewer,
    params: { provider_instance_id: (await provider()).id },
    query: { workspace_id: workspace, ...query },
    ...parts,
  };
  const { status, body } = await respond(
    request('GET', '/v1/lineage/providers/{provider_instance_id}/gaps', all as Parameters<typeof request>[2]),
  );
  return { status, json: JSON.parse(String(body)) };
}
const gaps = async (query: object = {}): Promise<Gap[]> => (await get(query)).json.items;

async function patch(gapId: string, status: string, token = tokens.admin) {
  const { id } = await provider();
  const { status: answered, body } = await respond(
    request('PATCH', '/v1/lineage/providers/{provider_instance_id}/gaps/{gap_id}', {
      token,
      params: { provider_instance_id: id, gap_id: gapId },
      body: { workspace_id: workspace, status },
    }),
  );
  return { status: answered, json: JSON.parse(String(body)) };
}

const shrunk: DeliveryOutcome = processed({ warnings: [{ code: 'snapshot_shrank', message: '' }] });
const snapshot = async (order: number, outcome: DeliveryOutcome, change: Partial<Delivery> = {}) => {
  const delivery = await accepted(0);
  const complete = { ...delivery, completeness: 'complete', scope_key: 's', order: snapshotOrder(order) } as const;
  await recordSnapshotStatus(sweep, { ...complete, ...change }, outcome);
  await finish({ ...complete, ...change }, 0, outcome);
  return delivery;
};

/** How each type of gap comes about, and how it ends. */
const stories: Readonly<
  Record<GapType, { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> }>
> = {
  silent_provider: {
    begin: async () => {
      for (const day of [0, 1, 2]) await delivered(day * 24 * hour);
      expect((await scan((2 * 24 + 47) * hour)).opened).toBe(0);
      await scan((2 * 24 + 49) * hour);
    },
    end: async () => {
      await delivered((2 * 24 + 50) * hour);
      await scan((2 * 24 + 51) * hour);
    },
  },
  backlog: {
    begin: async () => {
      const delivery = await accepted(0);
      expect((await scan(14)).opened).toBe(0);
      await scan(16);
      return delivery;
    },
    end: async () => {
      for (const delivery of (await ports.deliveries.list(workspace, everything)).items) await finish(delivery, 17);
      await scan(18);
    },
  },
  unresolved_assets: {
    begin: async () => {
      await delivered(0, processed({ unresolved: [unresolved()] }));
      await scan(1);
    },
    end: async () => {
      await delivered(11 * hour);
      expect((await scan(11 * hour)).resolved).toBe(0);
      await delivered(12 * hour);
      await scan(12 * hour);
    },
  },
  quarantined_items: {
    begin: async () => {
      await delivered(0, processed({ quarantined: [{ index: 0, code: 'invalid_event', message: '' }] }));
      await scan(1);
    },
    end: async () => {
      await delivered(12 * hour);
      await scan(12 * hour);
    },
  },
  outdated_normalizer: {
    begin: async () => {
      await delivered(0);
      await scan(1, { normalizerVersion: sweep.normalizerVersion + 1 });
    },
    end: () => scan(2),
  },
  snapshot_shrank: {
    begin: async () => {
      await snapshot(1, processed());
      await snapshot(2, shrunk);
      await scan(1);
    },
    end: async () => {
      await snapshot(3, processed());
      await scan(2);
    },
  },
  unowned_namespace: {
    begin: async () => {
      const { provider_instance_id: feed } = await accepted(0).then((one) => finish(one, 0).then(() => one));
      await used(feed, 'trino://lake:8080', ['a.b.c', 'a.b.d']);
      await used(feed, 's3://lake', ['a']);
      await used(randomUUID(), 'trino://other:8080', ['a.b.c']);
      await scan(1);
    },
    end: () => scan(2, { namesOf: async () => ({ connectors: [lake], generation: 0, changes: 0, forgotten: {} }) }),
  },
  undeclared_lineage: {
    begin: async () => {
      await delivered(0);
      await scansOfAnHour(surveyed((await provider()).id, { undeclared: { count: 1, edges: [edge] } }));
    },
    end: () => scansOfAnHour({ survey: async () => new Map() }),
  },
  names_look_alike: {
    begin: async () => {
      await delivered(0);
      await scansOfAnHour(surveyed((await provider()).id, { lookAlikes: { count: 1, pairs: [pair] } }));
    },
    end: () => scansOfAnHour({ survey: async () => new Map() }),
  },
  unfinished_runs: {
    begin: async () => {
      await delivered(0);
      const run = { job: { namespace: 'n', name: 'load' }, since: at(0).toISOString(), nodes: [] };
      const runs = [{ ...run, providerInstanceId: (await provider()).id }];
      expect((await scan(24 * hour, { unfinished: async () => runs })).opened).toBe(0);
      await scan(24 * hour + 1, { unfinished: async () => runs });
    },
    end: () => scan(24 * hour + 6),
  },
  abandoned_scope: {
    begin: async () => {
      await delivered(0);
      await scan(1, { scopes: { ...sweep.scopes, ...scopesOf((await provider()).id) } });
    },
    end: () => scan(2),
  },
};
/** Two scopes of a feed that state one edge: `old` once, and then `new` twice. */
function scopesOf(feed: string): Pick<SweepFunctionPorts['scopes'], 'ofConnector' | 'recorded' | 'predecessor'> {
  const [first, second] = [snapshotOrder(1), snapshotOrder(2)];
  const listing = { version: 1 as const, nodes: ['a', 'b'] as NodeId[], edges: [[0, 1, 0] as const] };
  const takenAt = { old: [at(-30)], new: [at(-20), at(-10)] } as const;
  const recorded = (name: string, order: string) => {
    const time = takenAt[name as 'old' | 'new'][Number(order) - 1];
    const known = { order, complete: true, listing, content: '', retracted: 0, warnings: [], deliveryId: '', also: [] };
    return time ? ({ ...known, at: time.toISOString() } as unknown as RecordedOrder) : null;
  };
  const heads = (['old', 'new'] as const).map((name) => {
    const order = name === 'old' ? first : second;
    const committedAt = takenAt[name].at(-1)?.toISOString() ?? null;
    const identity = { scope: name, scopeKey: name, kind: 'snapshot', providerType: 'dbt_manifest' } as const;
    return {
      ...identity,
      providerInstanceId: feed,
      order,
      started: order,
      listed: order,
      committedAt,
    } as unknown as ScopeHead;
  });
  return {
    ofConnector: async () => heads,
    recorded: async (_, scope, order) => recorded(scope, order),
    predecessor: async (_, scope, order) => (scope === ('new' as ScopeId) && order === second ? first : null),
  };
}

/** Scans of an hour: one of them looks for undeclared lineage. */
async function scansOfAnHour(survey: Pick<SweepFunctionPorts, 'survey'>) {
  for (let minutes = 0; minutes < hour; minutes += 5) await scan(minutes, survey);
}
const surveyed = (feed: string, found: Partial<Surveyed>): Pick<SweepFunctionPorts, 'survey'> => ({
  survey: async () => new Map([[feed, { undeclared: null, lookAlikes: null, ...found }]]),
});
const pair = { name: 'postgres://b/a.b.c', looks_like: 'a.b.c', command: 'tributary admin', advice: '' };
const edge = { upstream: 'a.b.hook', downstream: 'a.b.c', verdict: 'contradicted' as const };

const lake = connectorWith({ kind: 'trino', namespaces: ['trino://LAKE'] });
const used = (provider: string, namespace: string, datasets: readonly string[]) =>
  usedNameStore(table()).keep({ workspace, provider, since: 0 }, [
    { kind: 'namespace', namespace, unowned: new Set(datasets) },
  ]);
const everything = { state: null, connectorId: null, limit: 100, after: null } as const;

describe('the scan', () => {
  it.each(Object.entries(stories))(
    'opens and resolves %s, once (C-GAP-1, C-GAP-2, C-GAP-3, C-GAP-4)',
    async (type, { begin, end }) => {
      await begin();
      const [gap, ...more] = await gaps();
      expect(more).toEqual([]);
      expect(gap).toMatchObject({ gap_type: type, status: 'open', resolved_at: null });
      expect(Object.keys(gap?.details ?? {}).sort()).toEqual([
        'backlog',
        'cadence',
        ...(['unowned_namespace', 'abandoned_scope', 'names_look_alike'].includes(type) ? ['command'] : []),
        'last_receipt',
        ...(type === 'names_look_alike' ? ['look_alikes'] : []),
        ...(type === 'unowned_namespace' ? ['namespaces'] : []),
        'normalizer_version',
        'reason',
        ...(type === 'abandoned_scope' ? ['scopes'] : []),
        ...(type === 'undeclared_lineage' ? ['undeclared'] : []),
        ...(type === 'unfinished_runs' ? ['unfinished'] : []),
        ...(type === 'unresolved_assets' ? ['unresolved'] : []),
      ]);
      expect((await provider()).open_gap_count).toBe(1);
      await end();
      expect(await gaps()).toMatchObject([{ id: gap?.id, status: 'resolved', resolved_at: expect.any(String) }]);
      expect((await provider()).open_gap_count).toBe(0);
    },
  );

  it('names the namespaces that a feed used and nobody owns, and the command that claims them (C-IDENTITY-6)', async () => {
    await stories.unowned_namespace.begin();
    expect((await gaps())[0]?.details).toMatchObject({
      reason: 'namespaces_of_no_connector',
      namespaces: [{ namespace: 'trino://lake:8080', datasets: 2 }],
      command: `tributary admin connectors update ${workspace} CONNECTOR --add-namespace 'trino://lake:8080'`,
    });
  });

  it('reads the graph for undeclared lineage once an hour, and keeps what it found until then (C-GAP-11)', async () => {
    await delivered(0);
    const { id } = await provider();
    let reads = 0;
    const survey = async () => {
      reads++;
      return new Map([[id, { undeclared: { count: reads, edges: [edge] }, lookAlikes: null }]]);
    };
    await scansOfAnHour({ survey });
    await scansOfAnHour({ survey });
    expect(reads).toBe(2);
    const open = await gaps();
    expect(open).toMatchObject([{ gap_type: 'undeclared_lineage', status: 'open' }]);
    expect(open[0]?.details.undeclared).toEqual({ count: 2, edges: [edge] });
    expect((await patch(String(open[0]?.id), 'ignored')).status).toBe(200);
    await scansOfAnHour({ survey });
    expect(await gaps({ gap_type: 'undeclared_lineage' })).toMatchObject([{ status: 'ignored' }]);
  });

  it('looks for undeclared lineage at any time if the request says so (C-GAP-11)', async () => {
    await delivered(0);
    const { id } = await provider();
    const run = { from: null, hourly: true, timeIsUp: never };
    for (const minutes of [0, 30]) {
      const { survey } = surveyed(id, { undeclared: minutes === 0 ? { count: 1, edges: [edge] } : null });
      await scanGaps({ ...sweep, workspaces: async () => [{ id: workspace }], survey }, { ...run, now: at(minutes) });
      expect(await gaps()).toMatchObject([{ status: minutes === 0 ? 'open' : 'resolved' }]);
    }
  });

  it('does not call a paused feed silent', async () => {
    for (const day of [0, 1, 2]) await delivered(day * 24 * hour);
    const { id } = await provider();
    await ports.providers.setStatus(workspace, id as never, 'paused', at(0).toISOString());
    await scan(200 * hour);
    expect(await gaps()).toEqual([]);
  });

  it('ends a held snapshot that a later snapshot overtook, and keeps the others (C-GAP-7)', async () => {
    const held: DeliveryOutcome = { kind: 'held', warnings: shrunk.warnings };
    const [first, second] = [await snapshot(1, held), await snapshot(2, held)];
    await scan(1);
    expect(await gaps()).toMatchObject([{ details: { reason: 'snapshot_held_by_the_shrink_guard' } }]);
    const state = async ({ delivery_id }: Delivery) => (await findDelivery(ports, workspace, delivery_id)).state;
    expect([await state(first), await state(second)]).toEqual(['held', 'held']);
    await snapshot(3, processed());
    expect(await scan(2)).toMatchObject({ superseded: 1, resolved: 1 });
    expect([await state(first), await state(second)]).toEqual(['held', 'superseded']);
    expect(await scan(3)).toMatchObject({ superseded: 0, resolved: 0 });
  });

  it('is over for a snapshot that an administrator let through', async () => {
    await snapshot(1, shrunk);
    await scan(1);
    await snapshot(1, shrunk, { released: true });
    await scan(2);
    expect(await gaps({ status: 'open' })).toEqual([]);
  });

  it('continues after the previous scan, and begins again after the end', async () => {
    const feeds = ['a', 'b', 'c', 'd', 'e'];
    for (const feed of feeds) await accepted(0, feed);
    const tasks = sweepTasks({ ...sweep, workspaces: async () => [{ id: workspace }] });
    const open = async () =>
      (await listProviders(ports, workspace, { connectorId: null, status: null, limit: 200, cursor: null })).items
        .map((item) => item.open_gap_count)
        .reduce((a, b) => a + b);
    for (let run = 1; run <= feeds.length; run++) {
      await tasks.gaps({ now: at(16), timeIsUp: () => true });
      expect(await open()).toBe(run);
    }
    await tasks.gaps({ now: at(17), timeIsUp: never });
    await tasks.gaps({ now: at(18), timeIsUp: never });
    expect(await open()).toBe(feeds.length);
  });

  it('names the unresolved assets, with advice (C-GAP-8)', async () => {
    const assets = Array.from({ length: 12 }, (_, i) => `model.shop.m${i}`);
    await delivered(0, processed({ unresolved: [unresolved('non_sql_model', assets.slice(0, 10))] }));
    await scan(1);
    const [gap] = await gaps({ status: 'open' });
    expect(gap?.details.unresolved).toEqual([
      {
        reason: 'non_sql_model',
        count: 10,
        assets: assets.slice(0, 10),
        assets_left_out: 0,
        resolved: false,
        advice: expect.stringContaining('OpenLineage'),
      },
    ]);
    // Those of the newest delivery hold, and the gap stays one.
    await delivered(2, processed({ unresolved: [{ ...unresolved('compiled_code_unavailable', assets), count: 30 }] }));
    await scan(3);
    const [later, ...others] = await gaps({ status: 'open' });
    expect([later?.id, others]).toEqual([gap?.id, []]);
    expect(later?.details.unresolved).toMatchObject([{ count: 30, assets: assets.slice(0, 10), assets_left_out: 20 }]);
  });

  it('is no gap for what is only a remark, such as a model that its readers inline (C-GAP-9)', async () => {
    await delivered(0, processed({ unresolved: [unresolved('embedded_dependency_has_no_relation')] }));
    await snapshot(1, processed({ unresolved: [unresolved('catalog_entry_names_no_relation')] }));
    expect(await scan(1)).toMatchObject({ opened: 0 });
    expect((await provider()).unresolved_asset_count).toBe(0);
  });

  it('is over with the next complete snapshot that resolves all, in whatever order they are worked (C-GAP-10)', async () => {
    const left = processed({ unresolved: [unresolved('compiled_code_unavailable')] });
    await snapshot(1, left);
    await scan(1);
    expect(await gaps({ status: 'open' })).toMatchObject([
      { gap_type: 'unresolved_assets', details: { unresolved: [{ assets: ['model.shop.a'] }] } },
    ]);
    await snapshot(3, processed());
    await snapshot(2, left);
    expect(await scan(2)).toMatchObject({ resolved: 1 });
    await snapshot(4, left);
    expect(await scan(3)).toMatchObject({ opened: 1 });
  });

  it('leaves one gap and a right count, however scans overlap and die', async () => {
    await delivered(0, processed({ unresolved: [unresolved()] }));
    const { id } = await provider();
    const death = fc.option(fc.tuple(fc.nat(3), fc.constantFrom('before' as const, 'after' as const)), { nil: null });
    let minute = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(death, { minLength: 2, maxLength: 4 }), async (scheduler, deaths) => {
        minute += 10;
        const table = { ...world.table };
        const scans = deaths.map(async (dead, n) => {
          const client = unsteadyClient(dynamodb(), scheduler, (request) => (dead?.[0] === request ? dead[1] : null));
          const version = sweep.normalizerVersion + (n % 2);
          await scan(minute + n, { gaps: gapStore({ ...table, client }), normalizerVersion: version }).catch(
            (error) => {
              if (!(error instanceof Crash)) throw error;
            },
          );
        });
        await scheduler.waitFor(Promise.all(scans));
        const open = await gaps({ status: 'open' });
        const types = open.map(({ gap_type }) => gap_type);
        expect(new Set(types).size).toBe(types.length);
        expect((await provider()).open_gap_count).toBe(open.length);
        const current = await sweep.gaps.current(workspace, id as never);
        expect(current.gaps.toSorted((a, b) => (a.id < b.id ? 1 : -1))).toEqual(open);
      }),
      { numRuns: 8 },
    );
  });
});

describe('the routes', () => {
  it('list gaps newest first, by status and type, in pages (C-GAP-6)', async () => {
    await accepted(0);
    for (let round = 0; round < 4; round++) {
      await scan(20 + 2 * round);
      await scan(21 + 2 * round, { backlog: { backlogs: async () => new Map() } });
    }
    await scan(40, { normalizerVersion: 9 });
    const all = await gaps();
    expect(all.map(({ opened_at }) => opened_at)).toEqual(
      all
        .map(({ opened_at }) => opened_at)
        .toSorted()
        .reverse(),
    );
    expect(all.map(({ status }) => status)).toEqual(['open', ...Array(4).fill('resolved')]);
    expect(await gaps({ status: 'resolved', gap_type: 'backlog' })).toEqual(all.slice(1));
    expect(await gaps({ gap_type: 'of another service' })).toEqual([]);
    const seen: Gap[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await get({ limit: '2', ...(cursor && { cursor }) });
      expect(json.items.length).toBeLessThanOrEqual(2);
      seen.push(...json.items);
      cursor = json.next_cursor;
      if (cursor) {
        expect(cursor).toMatch(/^[0-9a-f-]{36}$/);
        expect((await get({ cursor, status: 'open' })).status).toBe(422);
      }
    } while (cursor);
    expect(seen).toEqual(all);
  });

  it('let administrators ignore and reopen a gap, but not a resolved one (C-GAP-5)', async () => {
    await accepted(0);
    await scan(20);
    const [gap] = await gaps();
    const id = gap?.id ?? '';
    expect(await patch(id, 'ignored')).toMatchObject({ status: 200, json: { id, status: 'ignored' } });
    expect((await provider()).open_gap_count).toBe(0);
    await scan(21);
    expect(await gaps({ status: 'ignored' })).toMatchObject([{ id }]);
    expect(await patch(id.toUpperCase(), 'open')).toMatchObject({ status: 200, json: { id, status: 'open' } });
    expect((await provider()).open_gap_count).toBe(1);
    await scan(22, { backlog: { backlogs: async () => new Map() } });
    expect(await patch(id, 'ignored')).toMatchObject({ status: 409, json: { detail: { code: 'conflict' } } });
    expect((await patch(randomUUID(), 'ignored')).status).toBe(404);
    expect((await patch('no id', 'ignored')).status).toBe(422);
    expect((await patch(id, 'resolved')).status).toBe(422);
    expect((await patch(id, 'ignored', tokens.editor)).status).toBe(403);
  });

  it('show no workspace the feeds of another', async () => {
    await accepted(0);
    const { id } = await provider();
    const other = await world.workspace(`gaps-other-${built}`);
    const token = await world.issuer.sign(`gaps-other-${built}-viewer`);
    const foreign = { token, query: { workspace_id: other.id }, params: { provider_instance_id: id } };
    expect((await get({}, foreign)).status).toBe(404);
    expect((await get({}, { token })).status).toBe(403);
  });
});
