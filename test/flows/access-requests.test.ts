import { beforeAll, describe, expect, it } from 'vitest';
import { accessRequests, diagnosis } from '../../functions/access/access.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { accessDiagnosisRoutes } from '../../shared/contract/access-diagnosis.ts';
import { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { removeMember, setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

type Parts = Parameters<typeof request>[2];
type Step = { readonly step: string; readonly status: string; readonly evidence: Json };

const world = provideForAll(startLineageWorld);
let respond: ReturnType<typeof responder>;

beforeAll(async () => {
  const ports = accessPorts();
  respond = responder(
    { ...accessDiagnosisRoutes, ...accessRequestRoutes },
    { ...diagnosis(ports), ...accessRequests(ports) },
    httpPorts(),
  );
});

const call = async (method: string, path: string, parts: Parts) =>
  jsonAnswer<Json & { items: Json[]; chain: Step[]; root_cause: Json | null }>(
    await respond(request(method, path, parts)),
  );

const diagnose = ({ workspace, connector, tokens }: LineagePlace, body: Json, token: string = tokens.viewer) =>
  call('POST', '/v1/access/diagnosis', {
    token,
    body: { workspace_id: workspace, connector_id: connector.id, ...body },
  });

const ask = ({ workspace, connector, tokens }: LineagePlace, body: Json = {}, token: string = tokens.viewer) =>
  call('POST', '/v1/access/requests', {
    token,
    body: { workspace_id: workspace, connector_id: connector.id, role: 'editor', reason: 'I load data', ...body },
  });

const decide = ({ workspace, tokens }: LineagePlace, id: unknown, decision: string, body?: Json) =>
  call('POST', `/v1/access/requests/{access_request_id}/${decision}`, {
    token: tokens.admin,
    query: { workspace_id: workspace },
    params: { access_request_id: String(id) },
    ...(body && { body }),
  });

const list = ({ workspace }: LineagePlace, token: string, query: Record<string, string> = {}) =>
  call('GET', '/v1/access/requests', { token, query: { workspace_id: workspace, ...query } });
const attention = ({ workspace }: LineagePlace, token: string, query: Record<string, string> = {}) =>
  call('GET', '/v1/access/attention', { token, query: { workspace_id: workspace, ...query } });

const stepsOf = ({ json }: { json: { chain: Step[] } }) => json.chain.map(({ step, status }) => `${step} ${status}`);

describe('the diagnosis of access (C-DIAGNOSIS-1)', () => {
  it('walks every link in order, and finds nothing wrong with an administrator', async () => {
    const place = await world.place();
    const found = await diagnose(place, { action: 'admin' }, place.tokens.admin);
    expect(stepsOf(found)).toEqual(
      ['token', 'workspace_pat_policy', 'membership', 'scope', 'role', 'connector', 'provider', 'policy'].map(
        (step) => `${step} ok`,
      ),
    );
    expect(found.json).toMatchObject({
      root_cause: null,
      connector: { id: place.connector.id, kind: 'postgres', name: 'warehouse' },
      effective_grants: [{ kind: 'workspace_role', role: 'admin' }],
      matched_groups: [],
    });
    expect(found.json['subject']).not.toHaveProperty('token_id');
  });

  it('names the role that is missing, and what would remedy it', async () => {
    const found = await diagnose(await world.place(), { action: 'write' });
    expect(stepsOf(found).slice(3)).toEqual([
      'scope ok',
      'role broken',
      'connector skipped',
      'provider skipped',
      'policy skipped',
    ]);
    expect(found.json.root_cause).toMatchObject({ step: 'role', code: 'insufficient_workspace_role' });
    expect(found.json.root_cause?.['message']).toContain('editor');
  });

  it('names the scope that a token lacks', async () => {
    const place = await world.place();
    const { token, record } = await world.token(place.workspace, 'lineage-2-admin', ['read']);
    const found = await diagnose(place, { action: 'write' }, token);
    expect(found.json['subject']).toMatchObject({ credential: 'pat', token_id: record.id });
    expect(found.json.root_cause).toMatchObject({ step: 'scope', code: 'insufficient_scope' });
  });

  it('diagnoses other users for administrators, and says what it cannot know about them', async () => {
    const place = await world.place();
    const name = `lineage-${Number(place.namespace.match(/\d+/)?.[0])}`;
    expect((await diagnose(place, { action: 'read', user_id: `${name}-admin` })).code).toBe(
      'insufficient_workspace_role',
    );
    const admin = (user_id: string, action = 'write') => diagnose(place, { action, user_id }, place.tokens.admin);
    const editor = await admin(`${name}-editor`);
    expect(editor.json.root_cause).toBeNull();
    expect(stepsOf(editor).slice(0, 4)).toEqual([
      'token unknown',
      'workspace_pat_policy ok',
      'membership ok',
      'scope unknown',
    ]);
    expect((await admin('nobody')).json.root_cause).toMatchObject({ step: 'membership' });
    await setPatsEnabled(world.operator, place.workspace, false);
    expect(stepsOf(await admin(`${name}-editor`))[1]).toBe('workspace_pat_policy unknown');
  });

  it('finds a connector that is not there', async () => {
    const found = await diagnose(await world.place(), { action: 'read', connector_id: 'con_nobodys' });
    expect(found.json).toMatchObject({ root_cause: { step: 'connector', code: 'not_found' }, connector: {} });
  });

  it('finds a provider that takes nothing in as its route does, and lets it be read', async () => {
    const place = await world.place();
    const event = runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']);
    await place.emit(event);
    const written = () => diagnose(place, { action: 'write' }, place.tokens.editor);
    const before = await written();
    expect(before.json.root_cause).toBeNull();
    const { evidence = {} } = before.json.chain.find(({ step }) => step === 'provider') ?? {};
    const [provider] = evidence['providers'] as Json[];
    await providerStore({ client: dynamodb(), name: world.table.name }).setStatus(
      place.workspace,
      provider?.['id'] as never,
      'paused',
      new Date().toISOString(),
    );
    const refused = await place.emit(runEvent(place.namespace, [], ['crm.core.c']));
    expect((await written()).json.root_cause).toMatchObject({ step: 'provider', code: refused.json.detail.code });
    expect((await diagnose(place, { action: 'read' })).json.root_cause).toBeNull();
  });

  it('finds a policy that lets no provider count', async () => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']));
    const filters = { ...safeDefaults, provider_rules: [{ provider_type: 'openlineage', action: 'exclude' as const }] };
    const ports = {
      ...accessPorts(),
      policiesOf: async () => new Map([[place.connector.id, { revision: 1, filters, weights: {} as never }]]) as never,
    };
    const other = responder(accessDiagnosisRoutes, diagnosis(ports), httpPorts());
    const { body } = await other(
      request('POST', '/v1/access/diagnosis', {
        token: place.tokens.viewer,
        body: { workspace_id: place.workspace, connector_id: place.connector.id, action: 'read' },
      }),
    );
    expect(JSON.parse(String(body)).root_cause).toMatchObject({ step: 'policy', code: 'policy:provider_rule' });
  });

  it.each([{ action: 'own' }, { action: undefined }])('refuses %o', async (bad) => {
    expect((await diagnose(await world.place(), bad)).code).toBe('validation_error');
  });
});

describe('access requests (C-DIAGNOSIS-2)', () => {
  it('are one request while it is pending, also if sent at once (C-DIAGNOSIS-3)', async () => {
    const place = await world.place();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(place)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(1);
    expect(answers[0]).toMatchObject({ json: { state: 'pending', role: 'editor', granted_role: null } });
    const later = await ask(place, { reason: 'another reason' });
    expect(later).toMatchObject({ status: 201, json: { reason: answers[0]?.json['reason'] } });
    expect((await ask(place, { role: 'admin' })).json['id']).not.toBe(answers[0]?.json['id']);
  });

  it('give the role that was requested, at once, and leave their entries', async () => {
    const place = await world.place();
    const { id } = (await ask(place)).json;
    const approved = await decide(place, id, 'approve');
    expect(approved).toMatchObject({ status: 200, json: { state: 'approved', granted_role: 'editor' } });
    expect((await diagnose(place, { action: 'write' })).json.root_cause).toBeNull();
    expect((await decide(place, id, 'deny')).code).toBe('conflict');
    const actions = (await world.operator.registry.audit.latest(place.workspace, 2)).map(({ action }) => action);
    expect(actions).toEqual(['access.approve', 'access.request']);
  });

  it('give a lower role if the administrator chooses it, and never a higher one', async () => {
    const place = await world.place();
    const { id } = (await ask(place, { role: 'admin' })).json;
    const { id: less } = (await ask(place)).json;
    expect((await decide(place, less, 'approve', { role: 'admin' })).code).toBe('validation_error');
    expect((await decide(place, id, 'approve', { role: 'editor' })).json).toMatchObject({ granted_role: 'editor' });
    expect((await diagnose(place, { action: 'write' })).json.root_cause).toBeNull();
    expect((await diagnose(place, { action: 'admin' })).json.root_cause).toMatchObject({ step: 'role' });
  });

  it('take no role away', async () => {
    const place = await world.place();
    const { id } = (await ask(place, { role: 'viewer' }, place.tokens.editor)).json;
    expect((await decide(place, id, 'approve')).status).toBe(200);
    expect((await diagnose(place, { action: 'write' }, place.tokens.editor)).json.root_cause).toBeNull();
  });

  it('are denied with a reason, and a new one is its own record (C-DIAGNOSIS-3)', async () => {
    const place = await world.place();
    const { id } = (await ask(place)).json;
    const denied = await decide(place, id, 'deny', { reason: 'ask your lead' });
    expect(denied.json).toMatchObject({ state: 'denied', decision_reason: 'ask your lead' });
    const [entry] = await world.operator.registry.audit.latest(place.workspace, 1);
    expect(entry).toMatchObject({ action: 'access.deny', subject: { id, role: 'editor' } });
    const repeated = await ask(place, { reason: 'my lead agrees' });
    expect(repeated).toMatchObject({ status: 201, json: { state: 'pending', reason: 'my lead agrees' } });
    expect(repeated.json['id']).not.toBe(id);
    const states = (await list(place, place.tokens.viewer)).json.items.map((one) => [one['id'], one['state']]);
    expect(new Map(states as [unknown, unknown][])).toEqual(
      new Map([
        [id, 'denied'],
        [repeated.json['id'], 'pending'],
      ]),
    );
  });

  it('is not approved by its own requester, or by a token (C-ACCESS-11, C-ACCESS-12)', async () => {
    const place = await world.place();
    const { id } = (await ask(place, { role: 'admin' }, place.tokens.admin)).json;
    const { status, code } = await decide(place, id, 'approve');
    expect([status, code]).toEqual([403, 'insufficient_workspace_role']);
    expect((await list(place, place.tokens.admin)).json.items).toMatchObject([{ id, state: 'pending' }]);
  });

  it('cannot be approved if their user was removed', async () => {
    const place = await world.place();
    const { id, user_id } = (await ask(place)).json;
    await removeMember(world.operator, place.workspace as WorkspaceId, String(user_id));
    expect((await decide(place, id, 'approve')).code).toBe('conflict');
  });

  it('are listed for their makers, and all for administrators, by pages', async () => {
    const place = await world.place();
    const mine = (await ask(place)).json['id'];
    const others = (await ask(place, { role: 'admin' }, place.tokens.editor)).json['id'];
    const ids = (answer: { json: { items: Json[] } }) => answer.json.items.map(({ id }) => id);
    expect(ids(await list(place, place.tokens.viewer))).toEqual([mine]);
    expect(new Set(ids(await list(place, place.tokens.admin)))).toEqual(new Set([mine, others]));
    const first = await list(place, place.tokens.admin, { limit: '1' });
    const cursor = String(first.json['next_cursor']);
    const second = await list(place, place.tokens.admin, { limit: '1', cursor });
    expect(new Set([...ids(first), ...ids(second)])).toEqual(new Set([mine, others]));
    expect(second.json['next_cursor']).toBeNull();
    expect((await list(place, place.tokens.admin, { cursor, state: 'pending' })).code).toBe('validation_error');
    expect((await list(place, place.tokens.viewer, { cursor })).code).toBe('validation_error');
    await decide(place, mine, 'deny');
    expect(ids(await list(place, place.tokens.admin, { state: 'pending' }))).toEqual([others]);
  });

  it('refuse a field that breaks its rule', async () => {
    const place = await world.place();
    for (const bad of [{ role: 'owner' }, { more: 1 }])
      expect((await ask(place, bad)).code, JSON.stringify(bad)).toBe('validation_error');
    expect((await ask(place, { connector_id: 'con_nobodys' })).code).toBe('not_found');
    expect((await decide(place, 'req_nobodys', 'approve')).code).toBe('not_found');
  });
});

describe('attention', () => {
  it('lists a request to administrators until it is decided (C-ATTENTION-1, C-ATTENTION-2)', async () => {
    const place = await world.place();
    const { id } = (await ask(place)).json;
    const { json } = await attention(place, place.tokens.admin);
    expect(json.items).toMatchObject([
      { id, kind: 'access_request', severity: 'warning', description: 'I load data', href: `/access?request=${id}` },
    ]);
    expect((await attention(place, place.tokens.viewer)).json.items).toEqual([]);
    await decide(place, id, 'deny');
    expect((await attention(place, place.tokens.admin)).json.items).toEqual([]);
    await ask(place);
    const repeated = (await attention(place, place.tokens.admin)).json.items;
    expect(repeated.map(({ event_id }) => event_id)).not.toEqual(json.items.map(({ event_id }) => event_id));
  });

  it('lists a snapshot that the shrink guard holds, until it is released', async () => {
    const place = await world.place();
    const shrink_guard = { mode: 'hold', share: 0.5 } as const;
    await updateConnector(world.operator, place.workspace, place.connector.id, { shrink_guard });
    const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
    const snapshot = (tables: number) =>
      place.declare('/v1/lineage/datahub', {
        export: Array.from({ length: tables }, (_, i) => ({ upstreamUrn: urn('root'), downstreamUrn: urn(`t${i}`) })),
        import_source: 'catalog',
        completeness: 'complete',
        source_event_key: `of ${tables}`,
      });
    await snapshot(30);
    const held = await snapshot(2);
    const { items } = (await attention(place, place.tokens.admin)).json;
    const id = held.json.delivery_id;
    expect(items).toMatchObject([{ id, kind: 'delivery', severity: 'warning', href: `/deliveries/${id}` }]);
    expect((await attention(place, place.tokens.editor)).json.items).toEqual([]);
    const deliveries = deliveryStore({ client: dynamodb(), name: world.table.name });
    await deliveries.reopen(place.workspace, id, { from: 'held', released: true, dueAt: new Date().toISOString() });
    expect((await attention(place, place.tokens.admin)).json.items).toEqual([]);
  });
});
