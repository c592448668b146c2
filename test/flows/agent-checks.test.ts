import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { accessRequests } from '../../functions/access/access.ts';
import { checkImplementations } from '../../functions/agent/checks.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { metered } from '../../shared/adapters/dynamodb/requests/metered.ts';
import { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { EvaluateCheck } from '../../shared/contract/messages.ts';
import { evaluateQueued } from '../../shared/domain/agents/checks/evaluate-queued.ts';
import { shardCount } from '../../shared/domain/lineage/graph/node.ts';
import { resendChecks } from '../../shared/domain/operations/sweep/resend-checks.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { agentPorts, checkPorts } from '../../shared/runtime/composition/agent.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { ledger, ledgerRuns } from '../support/ledger.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

type Result = {
  readonly id: string;
  readonly state: string;
  readonly violations: readonly Json[];
  readonly delivery_id: string | null;
} & Json;

const world = provideForAll(startLineageWorld);
let respond: ReturnType<typeof responder>;

beforeAll(async () => {
  respond = responder(
    { ...agentCheckRoutes, ...accessRequestRoutes },
    { ...checkImplementations(agentPorts()), ...accessRequests(accessPorts()) },
    httpPorts(),
  );
});

const call = async (method: string, path: string, parts: Parameters<typeof request>[2]) =>
  jsonAnswer(await respond(request(method, path, parts)));

const checks = '/v1/agent/checks';

const create = ({ workspace, tokens }: LineagePlace, expectation: string, extra: Json = {}, token = tokens.editor) =>
  call('POST', checks, { token, body: { workspace_id: workspace, name: 'a check', expectation, ...extra } });

const act = ({ workspace, tokens }: LineagePlace, method: string, path: string, id: unknown, body: Json = {}) =>
  call(method, `${checks}/{check_id}${path}`, {
    token: tokens.editor,
    params: { check_id: String(id) },
    ...(method === 'DELETE' || method === 'GET'
      ? { query: { workspace_id: workspace, ...(body as Record<string, string>) } }
      : { body: { workspace_id: workspace, ...body } }),
  });

const built = async (place: LineagePlace, expectation: string, extra: Json = {}) => {
  const { json } = await create(place, expectation, extra);
  await world.settle();
  return String(json['id']);
};

/** Counts the requests of a client that are under way at the same time. */
function watchRequests(client: ReturnType<typeof dynamodb>) {
  let [now, most, requests] = [0, 0, 0];
  client.middlewareStack.add(
    (next) => async (args) => {
      requests++;
      most = Math.max(most, ++now);
      return next(args).finally(() => now--);
    },
    { step: 'initialize', priority: 'high', name: 'inFlight', override: true },
  );
  return {
    seen: () => ({ requests, most }),
    reset: () => {
      requests = 0;
      most = now;
    },
  };
}

const results = async (place: LineagePlace, id: string): Promise<readonly Result[]> =>
  (await act(place, 'GET', '/results', id)).json['items'] as readonly Result[];
const latest = async (place: LineagePlace, id: string) => (await results(place, id))[0];

/** A source, a model over it and one over that. */
function manifest(columns = 'id, total', over = 'orders', models: readonly string[] = ['orders', 'revenue']) {
  const model = (alias: string, compiled_code: string, nodes: readonly string[]) => ({
    resource_type: 'model',
    database: 'crm',
    schema: 'core',
    alias,
    name: alias,
    compiled_code,
    depends_on: { nodes },
  });
  const all: Readonly<Record<string, object>> = {
    orders: model('orders', `select ${columns} from crm.raw.${over}`, [`source.crm.raw.${over}`]),
    revenue: model('revenue', 'select id from crm.core.orders', ['model.crm.orders']),
  };
  const source = (alias: string) => ({ resource_type: 'source', database: 'crm', schema: 'raw', alias, name: alias });
  return {
    metadata: { adapter_type: 'postgres' },
    sources: { 'source.crm.raw.orders': source('orders'), 'source.crm.raw.other': source('other') },
    nodes: Object.fromEntries(models.map((name) => [`model.crm.${name}`, all[name]])),
  };
}

let pushed = 0;
/** Models that all read one source. */
function manyModels(models: readonly string[], columns: string, over = 'orders') {
  const { nodes: known, ...rest } = manifest(columns, over, ['orders']);
  const [{ alias: _, name: __, ...model }] = Object.values(known) as [Json];
  const nodes = Object.fromEntries(models.map((alias) => [`model.crm.${alias}`, { ...model, alias, name: alias }]));
  return { ...rest, nodes };
}

const push = (place: LineagePlace, content = manifest()) =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: content,
    project_id: 'crm',
    completeness: 'complete',
    source_event_key: `manifest ${pushed++}`,
  });

describe('a check', () => {
  it('fails by a manifest that drops a column, and passes by the next one (C-CHECK-7, C-ATTENTION-1)', async () => {
    const place = await world.place();
    await push(place);
    const id = await built(place, 'no removed column', { severity: 'critical', scope: { include: ['core.*'] } });
    expect(await latest(place, id)).toMatchObject({ state: 'passed', definition_version: 1, delivery_id: null });
    const quiet = await built(place, 'no removed column', { severity: 'info' });
    const { json } = await push(place, manifest('id'));
    expect((await latest(place, quiet))?.state).toBe('failed');
    expect(await latest(place, id)).toMatchObject({
      state: 'failed',
      severity: 'critical',
      delivery_id: json.delivery_id,
      violations_total: 1,
      violations: [{ relation_ref: 'crm.core.orders', column: 'total' }],
    });
    const attention = () =>
      call('GET', '/v1/access/attention', { token: place.tokens.editor, query: { workspace_id: place.workspace } });
    expect((await attention()).json['items']).toMatchObject([
      { id, kind: 'agent_check', severity: 'critical', href: `/checks?check=${id}` },
    ]);
    await push(place);
    expect(await latest(place, id)).toMatchObject({ state: 'passed', violations: [] });
    expect((await attention()).json['items']).toEqual([]);
    expect((await results(place, id)).map(({ state }) => state)).toEqual(['passed', 'failed', 'passed']);
  });

  it('proves nothing while a delivery is quarantined (C-CHECK-11)', async () => {
    const place = await world.place();
    await push(place);
    const id = await built(place, 'no path from core.revenue to raw.orders');
    const claim = async () => (await act(place, 'POST', '/run', id)).json['claim'];
    expect(await claim()).toMatchObject({ kind: 'nothing_known_breaks', limits: [] });
    await place.emit([{ eventTime: 'yesterday' }]);
    expect(await claim()).toMatchObject({ kind: 'may_break', limits: [{ code: 'delivery_quarantined' }] });
  });

  it.each([
    ['no new upstream', manifest('id, total', 'other'), 'crm.core.orders'],
    ['no new downstream', manifest('id, total', 'other'), 'crm.raw.other'],
    ['no removed relation', manifest('id, total', 'orders', ['orders']), 'crm.core.revenue'],
    ['path from raw.orders to core.revenue', manifest('id, total', 'other'), 'crm.core.revenue'],
    ['no removed column and no stale edge', manifest('id'), 'crm.core.orders'],
  ])('finds where "%s" does not hold (C-CHECK-4, C-CHECK-6)', async (expectation, next, relation_ref) => {
    const place = await world.place();
    await push(place);
    const id = await built(place, expectation);
    expect((await latest(place, id))?.state).toBe('passed');
    await push(place, next);
    const result = await latest(place, id);
    expect(result?.state, JSON.stringify(result)).toBe('failed');
    expect(result?.violations.map((one) => one['relation_ref'])).toContain(relation_ref);
  });

  it.each([
    ['at most 1 downstream', 'crm.raw.orders'],
    ['at most 1 upstream relations', 'crm.core.revenue'],
    ['no path from raw.orders to core.revenue', 'crm.core.revenue'],
    ['confidence at least 0.95', 'crm.core.orders'],
    ['fresh within 0 minutes', 'crm.core.orders'],
  ])('finds at once where "%s" does not hold', async (expectation, relation_ref) => {
    const place = await world.place();
    await push(place);
    const result = await latest(place, await built(place, expectation));
    expect(result?.state).toBe('failed');
    expect(result?.violations.map((one) => one['relation_ref'])).toContain(relation_ref);
  });

  it('finds edges that only runs have, of all relations or of a schema, and declarations that no run confirms (C-CHECK-4, C-VERDICT-2)', async () => {
    const place = await world.place();
    await push(place);
    const undeclared = await built(place, 'no undeclared edge');
    const elsewhere = await built(place, 'no undeclared edges into schema raw');
    const within = await built(place, 'no undeclared edges into schema core');
    const confirmed = await built(place, 'every declared edge confirmed within 1 hour', {
      scope: { include: ['core.orders'] },
    });
    expect((await latest(place, undeclared))?.state).toBe('passed');
    expect(await latest(place, confirmed)).toMatchObject({
      state: 'failed',
      violations: [{ message: 'No run of the last 1 hours had the declared edge from crm.raw.orders.' }],
    });
    await place.emit(
      runEvent(place.namespace, ['crm.raw.orders', 'crm.raw.hook'], ['crm.core.orders'], { job: 'load' }),
    );
    const found = { relation_ref: 'crm.core.orders' };
    const message = 'The edge from crm.raw.hook is observed against the declaration.';
    for (const id of [undeclared, within])
      expect(await latest(place, id)).toMatchObject({ state: 'failed', violations: [{ ...found, message }] });
    expect((await latest(place, elsewhere))?.state).toBe('passed');
    expect((await latest(place, confirmed))?.state).toBe('passed');
  });

  it('takes ephemeral models that runs name for a part of their readers (C-CHECK-4, C-VERDICT-3)', async () => {
    const place = await world.place({ kind: 'duckdb', namespaces: [ledger.namespace] });
    await linkProject(world.operator, place.workspace, 'ledger');
    const declaration = { manifest: ledger.manifest, project_id: 'ledger', completeness: 'complete' };
    await place.declare('/v1/lineage/dbt/manifest', { ...declaration, source_event_key: 'ledger' });
    await place.emit(ledgerRuns('dbt-ol-structured'));
    const undeclared = await latest(place, await built(place, 'no undeclared edges'));
    expect(undeclared?.violations).toEqual([
      {
        relation_ref: 'ledger.main.balances',
        message: 'The edge from ledger.main.accounts is observed against the declaration.',
      },
      { relation_ref: 'ledger.main.fee_totals', message: 'The edge from ledger.main.late_fees is only observed.' },
    ]);
    const scope = { include: ['main.postings'] };
    const confirmed = await built(place, 'every declared edge confirmed within 1 hour', { scope });
    expect((await latest(place, confirmed))?.state).toBe('passed');
  });

  it('finds a column without a source', async () => {
    const place = await world.place();
    const open = manifest();
    open.nodes['model.crm.orders'] = {
      ...open.nodes['model.crm.orders'],
      compiled_code: 'select *, lost from crm.raw.orders',
    };
    await push(place, open);
    const result = await latest(place, await built(place, 'every column of core.orders has a source'));
    expect([result?.state, result?.violations.map((one) => one['relation_ref'])]).toEqual([
      'failed',
      ['crm.core.orders'],
    ]);
  });

  it.each([
    'at most 2 downstream',
    'confidence at least 0.9',
    'fresh within 1 day',
    'no open gap',
    'every column has a source',
  ])('passes where "%s" holds', async (expectation) => {
    const place = await world.place();
    await push(place);
    expect(await latest(place, await built(place, expectation))).toMatchObject({ state: 'passed' });
  });

  it('is evaluated after a delivery only if that touched its scope (C-CHECK-8, C-CHECK-9)', async () => {
    const place = await world.place();
    await push(place);
    const inside = await built(place, 'no new upstream', { scope: { include: ['core.*'], exclude: ['core.revenue'] } });
    const outside = await built(place, 'no new upstream', { scope: { include: ['raw.orders'] } });
    const before = (await latest(place, outside))?.['evaluated_at'];
    await place.emit(runEvent(place.namespace, ['crm.raw.x'], ['crm.core.revenue']));
    expect((await latest(place, inside))?.state).toBe('passed');
    await place.emit(runEvent(place.namespace, ['crm.raw.x'], ['crm.core.orders']));
    const failed = await latest(place, inside);
    expect(failed).toMatchObject({ state: 'failed', violations: [{ relation_ref: 'crm.core.orders' }] });
    // What was found of one relation stays while others are touched.
    await place.emit(runEvent(place.namespace, ['crm.raw.y'], ['crm.core.customers']));
    expect((await latest(place, inside))?.violations.map((one) => one['relation_ref'])).toEqual([
      'crm.core.customers',
      'crm.core.orders',
    ]);
    expect((await latest(place, outside))?.['evaluated_at']).toBe(before);
  });

  it('is not evaluated if its scope has no relation (C-CHECK-9)', async () => {
    const place = await world.place();
    await push(place);
    const scope = { include: ['mart.*'] };
    const [empty, ofWorkspace] = [
      await built(place, 'no new upstream and no open gap', { scope }),
      await built(place, 'no open gap', { scope }),
    ];
    expect(await latest(place, empty)).toMatchObject({
      state: 'not_evaluated',
      violations: [{ message: expect.stringContaining('No relation') }],
    });
    expect((await latest(place, ofWorkspace))?.state).toBe('passed');
    await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.mart.totals']));
    expect((await latest(place, empty))?.state).toBe('failed');
  });

  it('is not evaluated if it names a relation outside its scope (C-CHECK-9)', async () => {
    const place = await world.place();
    await push(place);
    const checkOf = (include: string) =>
      built(place, 'every column of core.revenue has a source', { scope: { include: [include] } });
    const [outside, inside] = [await checkOf('core.orders'), await checkOf('core.revenue')];
    expect(await latest(place, outside)).toMatchObject({
      state: 'not_evaluated',
      violations: [{ message: expect.stringContaining('outside the scope of the check') }],
    });
    expect((await latest(place, inside))?.state).toBe('passed');
  });

  it('reads the scope only for a rule that needs it, its shards at the same time (C-CHECK-10)', async () => {
    const place = await world.place();
    await push(place);
    const watch = watchRequests(metered(dynamodb()));
    const costOf = async (expectation: string) => {
      const id = await built(place, expectation);
      watch.reset();
      const answer = await act(place, 'POST', '/run', id);
      expect(answer.json['state'], expectation).toBe('passed');
      return watch.seen();
    };
    for (const expectation of [
      'path from raw.orders to core.revenue',
      'no open gap',
      'every column of core.revenue has a source',
      'no open gap and path from raw.orders to core.revenue',
    ])
      expect((await costOf(expectation)).requests, expectation).toBeLessThanOrEqual(20);
    const ofScope = await costOf('at most 9 downstream');
    expect(ofScope.requests).toBeGreaterThanOrEqual(shardCount);
    expect(ofScope.most).toBeGreaterThan(4);
    expect(ofScope.most).toBeLessThanOrEqual(20);
  });

  it('reads the nodes of a whole scope in their order, for less than a read unit each (C-CHECK-10)', async () => {
    const place = await world.place();
    const models = Array.from({ length: 200 }, (_, i) => `m${i}`);
    await push(place, manyModels(models, 'id'));
    const used = countUnits(metered(dynamodb()));
    for (const [expectation, units] of [
      ['no stale edge', 150],
      ['no new upstream', 200],
      ['at most 9 upstream relations', 150],
    ] as const) {
      const id = await built(place, expectation);
      used();
      expect((await act(place, 'POST', '/run', id)).json['state'], expectation).toBe('passed');
      expect(used().read_units, expectation).toBeLessThan(units);
    }
  });

  it('finds the same about a relation whether its scope has all relations or only that one (C-CHECK-8)', async () => {
    const place = await world.place();
    const models = Array.from({ length: 30 }, (_, i) => `m${i}`);
    await push(place, manyModels(models, 'id, total'));
    const compared = 'no removed column and no new upstream and no removed relation';
    const pairs: [string, string][] = [];
    for (const expectation of [compared, `${compared} and at most 0 upstream`])
      pairs.push([
        await built(place, expectation),
        await built(place, expectation, { scope: { include: ['core.m7'], exclude: [] } }),
      ]);
    await push(place, manyModels(models.slice(1), 'id', 'other'));
    for (const [whole, own] of pairs) {
      for (const id of [whole, own]) await act(place, 'POST', '/run', id);
      const [all, ofOne] = [await latest(place, whole), await latest(place, own)];
      const about = (ref: string) => all?.violations.filter(({ relation_ref }) => relation_ref === ref);
      expect(about('crm.core.m7')).toEqual(ofOne?.violations);
      expect(ofOne?.violations).toContainEqual(
        expect.objectContaining({ message: 'The column no longer exists.', column: 'total' }),
      );
      expect(ofOne?.violations).toContainEqual(
        expect.objectContaining({ message: 'New upstream relation: crm.raw.other.' }),
      );
      expect(about('crm.core.m0')).toContainEqual(
        expect.objectContaining({ message: 'The relation no longer has lineage.' }),
      );
    }
  });

  it('compares with the graph as it was accepted (C-CHECK-6)', async () => {
    const place = await world.place();
    await push(place);
    const id = await built(place, 'no new upstream');
    await push(place, manifest('id, total', 'other'));
    expect((await latest(place, id))?.state).toBe('failed');
    expect((await act(place, 'POST', '/accept', id)).json).toMatchObject({ definition_version: 1 });
    await world.settle();
    expect((await latest(place, id))?.state).toBe('passed');
  });

  it('is evaluated however old it is, unless a rule compares with a time before the history (C-CHECK-6)', async () => {
    const place = await world.place();
    await push(place);
    const ids = await Promise.all(
      ['at most 9 upstream', 'at most 9 upstream and no removed relation'].map((one) => built(place, one)),
    );
    const clock = { now: () => new Date(Date.now() + 100 * 86_400_000) };
    for (const check_id of ids) {
      const message = {
        version: 1,
        kind: 'evaluate_check',
        workspace_id: place.workspace,
        caused_by: null,
        nodes: null,
      };
      await evaluateQueued({ ...checkPorts(), clock }, v.parse(EvaluateCheck, { ...message, check_id }));
    }
    const states = await Promise.all(ids.map(async (id) => (await latest(place, id))?.state));
    expect(states).toEqual(['passed', 'not_evaluated']);
  });

  it('keeps a text that is no rule, and says which is nearest (C-CHECK-5)', async () => {
    const place = await world.place();
    const id = await built(place, 'no removed kolumn');
    const result = await latest(place, id);
    expect(result?.state).toBe('not_evaluated');
    expect(result?.violations[0]?.['message']).toContain('Character 12');
    expect(result?.violations[0]?.['message']).toContain('no removed column');
  });

  it('says that a relation it names is not there', async () => {
    const place = await world.place();
    await push(place);
    const result = await latest(place, await built(place, 'path from raw.order to core.orders'));
    expect(result?.state).toBe('error');
    expect(result?.violations).toMatchObject([
      { relation_ref: 'raw.order', message: expect.stringContaining('The nearest names: crm.raw.orders') },
    ]);
  });

  it('is run at once, and repeats no result that is the last one again (C-CHECK-7, C-CHECK-8)', async () => {
    const place = await world.place();
    await push(place);
    const id = await built(place, 'no removed relation', { enabled: false });
    expect(await results(place, id)).toEqual([]);
    const first = (await act(place, 'POST', '/run', id)).json;
    expect(first).toMatchObject({ check_id: id, state: 'passed' });
    const repeated = (await act(place, 'POST', '/run', id)).json;
    expect(repeated['id']).toBe(first['id']);
    expect(String(repeated['evaluated_at']) > String(first['evaluated_at'])).toBe(true);
    expect(await results(place, id)).toHaveLength(1);
  });

  it('answers all who run it at once (C-CHECK-8)', async () => {
    const place = await world.place();
    await push(place);
    const id = await built(place, 'no removed relation', { enabled: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(place, 'POST', '/run', id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ json }) => json['state']))).toEqual(new Set(['passed']));
    // Who asks while an evaluation is under way shares the next one.
    expect(new Set(answers.map(({ json }) => json['evaluated_at'])).size).toBeLessThanOrEqual(2);
  });

  it('is evaluated again by the sweep if its message was lost', async () => {
    const place = await world.place();
    await push(place);
    const agent = { ...agentPorts(), queue: { send: async () => Promise.reject(new Error('lost')) } };
    const other = responder(agentCheckRoutes, checkImplementations(agent), httpPorts());
    const body = { workspace_id: place.workspace, name: 'lost', expectation: 'no stale edge' };
    const { body: text } = await other(request('POST', checks, { token: place.tokens.editor, body }));
    const id = JSON.parse(String(text)).id;
    await world.settle();
    expect(await results(place, id)).toEqual([]);
    await resendChecks(sweepPorts(), { now: new Date(), timeIsUp: () => false });
    await world.settle();
    expect((await latest(place, id))?.state).toBe('passed');
  });

  it('changes by versions, and is removed (C-CHECK-3)', async () => {
    const place = await world.place();
    const { json } = await create(place, 'no stale edge', { name: 'first' });
    const patch = (body: Json) => act(place, 'PATCH', '', json['id'], body);
    expect((await patch({ name: 'second', severity: null })).json).toMatchObject({
      name: 'second',
      severity: 'warning',
      definition_version: 2,
    });
    expect((await patch({ name: 'second' })).json['definition_version']).toBe(2);
    expect((await act(place, 'DELETE', '', json['id'])).status).toBe(204);
    expect((await patch({ name: 'third' })).code).toBe('not_found');
    expect((await act(place, 'DELETE', '', json['id'])).code).toBe('not_found');
  });

  it('is one of ten enabled ones, however many come at once (C-CHECK-2)', async () => {
    const place = await world.place();
    const answers = await Promise.all(Array.from({ length: 14 }, () => create(place, 'no stale edge')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'conflict')).toHaveLength(4);
    const spare = await create(place, 'no stale edge', { enabled: false });
    const enable = () => act(place, 'PATCH', '', spare.json['id'], { enabled: true });
    expect((await enable()).code).toBe('conflict');
    const [first] = answers.filter(({ status }) => status === 201);
    await act(place, 'DELETE', '', first?.json['id']);
    expect((await enable()).status).toBe(200);
    const list = await call('GET', checks, { token: place.tokens.viewer, query: { workspace_id: place.workspace } });
    expect(list.json['max_enabled']).toBe(10);
    expect((list.json['agent_checks'] as Json[]).filter(({ enabled }) => enabled)).toHaveLength(10);
  });

  it('has at most 20 entries in each list of its scope (C-LIMIT-7)', async () => {
    const place = await world.place();
    const scoped = (include: number, exclude: number) => {
      const patterns = (count: number) => Array.from({ length: count }, (_, n) => `crm.s${n}.*`);
      return create(place, 'no stale edge', { scope: { include: patterns(include), exclude: patterns(exclude) } });
    };
    expect((await scoped(20, 20)).status).toBe(201);
    expect((await scoped(21, 0)).code).toBe('validation_error');
    expect((await scoped(0, 21)).code).toBe('validation_error');
  });

  it('is created by editors, only with the fields of a check (C-CHECK-1)', async () => {
    const place = await world.place();
    expect((await create(place, 'no stale edge', { more: 1 })).code).toBe('validation_error');
    expect((await create(place, 'no stale edge', {}, place.tokens.viewer)).code).toBe('insufficient_workspace_role');
  });
});
