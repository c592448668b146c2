import { expect, it } from 'vitest';
import { safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';
import { diagnoseAccess } from '../../../shared/domain/workspaces/access/diagnosis/diagnose-access.ts';

type Situation = {
  readonly token?: 'session' | 'pat';
  /** What a personal token has. */
  readonly scopes?: readonly string[];
  readonly ofWorkspace?: string;
  readonly role?: string | null;
  readonly pats?: boolean;
  readonly presents?: boolean;
  readonly needed?: object;
  readonly connector?: string;
  /** Statuses of the providers of the connector. */
  readonly providers?: readonly string[];
  readonly policy?: object;
};

const now = new Date('2026-11-22T10:00:00.000Z');
const warehouse = { workspace_id: 'ws', id: 'con', name: 'warehouse', kind: 'postgres', namespaces: ['secret'] };
const providerOf = (status: string, n: number, connector_id = 'con') => ({
  provider: {
    id: `p${n}`,
    connector_id,
    provider_type: n === 0 ? 'openlineage' : 'query_log',
    status,
    status_at: '2026-11-20T10:00:00.000Z',
  },
  activity: { last_success_at: null, failures: [] },
});

async function diagnosed(situation: Situation) {
  const { token = 'session', scopes = ['read', 'write'], ofWorkspace = 'ws', role = 'editor', pats = true } = situation;
  const { presents = true, needed = { scope: 'write', role: 'editor' }, connector = 'con', providers = [] } = situation;
  const membership = { role, patsEnabled: pats };
  const pat = { kind: 'pat', userId: 'u', tokenId: 'tok', workspaceId: ofWorkspace, scopes, membership };
  const records = [...providers.map((status, n) => providerOf(status, n)), providerOf('paused', 9, 'other')];
  const ports = {
    registry: { connectors: { find: async ({ id }: { id: string }) => (id === 'con' ? { record: warehouse } : null) } },
    providers: {
      list: async function* () {
        yield* records;
      },
    },
    policiesOf: async () =>
      new Map(situation.policy ? [['con', { revision: 3, filters: { ...safeDefaults, ...situation.policy } }]] : []),
    clock: { now: () => now },
  };
  const caller = token === 'pat' ? pat : { kind: 'session', userId: 'u', email: null };
  const admission = { needed, caller, workspace: 'ws', membership };
  const question = { workspace: 'ws', connectorId: connector, admission, presentsToken: presents };
  return diagnoseAccess(ports as never, question as never);
}

const needs = { scope: 'write', role: 'editor' };
const passed = [
  ['token', 'ok', 'Token', 'The token is valid for the workspace.', { kind: 'session' }],
  [
    ...['workspace_pat_policy', 'ok', 'Access token policy of the workspace'],
    ...['The workspace accepts this kind of token.', { pats_enabled: true }],
  ],
  [
    ...['membership', 'ok', 'Membership of the workspace', 'The user is a member of the workspace.'],
    { user_id: 'u', role: 'editor' },
  ],
  ['scope', 'ok', 'Scope of the token', 'The token carries the scope.', { needed: 'write' }],
  ['role', 'ok', 'Role in the workspace', 'The role suffices.', { needed: 'editor', role: 'editor' }],
  [
    ...['connector', 'ok', 'Connector', 'The workspace has the connector.'],
    { id: 'con', name: 'warehouse', kind: 'postgres' },
  ],
  [
    ...['provider', 'ok', 'Providers of the connector', 'Nothing has been delivered to the connector yet.'],
    { providers: [] },
  ],
  [
    ...['policy', 'ok', 'Lineage policy of the connector', 'All evidence counts.'],
    { revision: 0, suppressed_providers: [] },
  ],
].map(([step, status, title, detail, evidence]) => ({ step, status, title, detail, evidence }));
const steps = passed.map(({ step }) => step);

it('an editor’s session passes each step, which say what they looked at (C-DIAGNOSIS-1)', async () => {
  expect(await diagnosed({})).toEqual({
    chain: passed,
    connector: { id: 'con', name: 'warehouse', kind: 'postgres' },
    effective_grants: [{ kind: 'workspace_role', role: 'editor' }],
    evidence: { ...needs, evaluated_at: now.toISOString() },
    matched_groups: [],
    root_cause: null,
    subject: { user_id: 'u', role: 'editor', credential: 'session' },
  });
});

it.each<[step: string, code: string, remedy: string, evidence: object, Situation]>([
  [
    ...(['token', 'workspace_token_mismatch', 'Use a token of this workspace, or a session.'] as const),
    { kind: 'pat', token_id: 'tok' },
    { token: 'pat', ofWorkspace: 'other' },
  ],
  [
    ...(['workspace_pat_policy', 'pats_disabled'] as const),
    'Use a session, or have the operator enable access tokens for the workspace.',
    { pats_enabled: false },
    { token: 'pat', pats: false },
  ],
  [
    ...(['workspace_pat_policy', 'session_required', 'Use a session instead of an access token.'] as const),
    { pats_enabled: true },
    { token: 'pat', needed: { ...needs, session: true } },
  ],
  [
    ...(['membership', 'insufficient_workspace_role', 'Have an operator add the user to the workspace.'] as const),
    { user_id: 'u', role: null },
    { role: null },
  ],
  [
    ...(['scope', 'insufficient_scope', 'Use a token with the scope write.'] as const),
    { needed: 'write', scopes: ['read'] },
    { token: 'pat', scopes: ['read'] },
  ],
  [
    ...(['role', 'insufficient_workspace_role'] as const),
    'Ask an administrator of the workspace for the role editor with an access request.',
    { needed: 'editor', role: 'viewer' },
    { role: 'viewer' },
  ],
  ['connector', 'not_found', 'Name a connector of the workspace.', {}, { connector: 'con_other' }],
  [
    ...(['provider', 'lineage_provider_paused'] as const),
    'Have an administrator set a provider of the connector to active.',
    {
      providers: [
        { id: 'p0', provider_type: 'openlineage', status: 'paused' },
        { id: 'p1', provider_type: 'query_log', status: 'disabled' },
      ],
    },
    { providers: ['paused', 'disabled'] },
  ],
  [
    ...(['policy', 'policy:provider_rule'] as const),
    'Have an administrator change the provider rules of the lineage policy.',
    { revision: 3, suppressed_providers: ['p0'] },
    { providers: ['active'], policy: { provider_rules: [{ provider_type: 'openlineage', action: 'exclude' }] } },
  ],
])('the first step that refuses is the root cause, and none after it is looked at: %s %s', async (...row) => {
  const [step, code, message, evidence, situation] = row;
  const { chain, root_cause, connector } = await diagnosed(situation);
  const at = steps.indexOf(step);
  expect(root_cause).toEqual({ step, code, message });
  expect(chain.map((one) => one.step)).toEqual(steps);
  expect(chain.map(({ status }) => status)).toEqual(
    steps.map((_, n) => (n < at ? 'ok' : n > at ? 'skipped' : 'broken')),
  );
  expect(chain[at]?.evidence).toEqual(evidence);
  const skipped = { status: 'skipped', detail: 'Skipped because an earlier check failed.', evidence: {} };
  for (const one of chain.slice(at + 1)) expect(one).toMatchObject(skipped);
  expect(connector).toEqual(at > steps.indexOf('connector') ? { id: 'con', name: 'warehouse', kind: 'postgres' } : {});
});

const reading = { scope: 'read', role: 'viewer' };
const excluded = { provider_rules: [{ provider_type: 'openlineage', action: 'exclude' }] };

it.each<[step: string, detail: string, Situation]>([
  ['provider', 'Every provider of the connector accepts deliveries.', { providers: ['active'] }],
  ['provider', '1 of 2 providers of the connector take nothing in.', { providers: ['active', 'paused'] }],
  [
    ...(['provider', '2 of 2 providers of the connector take nothing in: answers may be out of date.'] as const),
    { providers: ['paused', 'disabled'], needed: reading },
  ],
  ['policy', 'Evidence that the policy suppresses is shown as stale.', { providers: ['active'], policy: {} }],
  [
    ...(['policy', 'Evidence that the policy suppresses is shown as stale.'] as const),
    { providers: ['active', 'active'], policy: excluded },
  ],
])('a step that passes says what may still be in the way: %s, %s', async (step, detail, situation) => {
  const { chain, root_cause } = await diagnosed(situation);
  expect([root_cause, chain.find((one) => one.step === step)]).toMatchObject([null, { status: 'ok', detail }]);
});

it('what depends on a token that is not presented is unknown', async () => {
  const unknown = 'This depends on the user’s token, which is not known here.';
  for (const pats of [true, false]) {
    const { chain, subject, root_cause } = await diagnosed({ presents: false, pats });
    expect([root_cause, subject]).toEqual([null, { user_id: 'u', role: 'editor', credential: 'unknown' }]);
    const open = chain.filter(({ status }) => status !== 'ok');
    expect(open.map(({ step }) => step)).toEqual(['token', ...(pats ? [] : ['workspace_pat_policy']), 'scope']);
    for (const one of open) expect(one).toMatchObject({ status: 'unknown', detail: unknown });
  }
});

it('a personal token grants its scopes, and the diagnosis has its id', async () => {
  const { effective_grants, subject } = await diagnosed({ token: 'pat' });
  expect(effective_grants).toEqual([
    { kind: 'workspace_role', role: 'editor' },
    { kind: 'token_scopes', scopes: ['read', 'write'] },
  ]);
  expect(subject).toEqual({ user_id: 'u', role: 'editor', credential: 'pat', token_id: 'tok' });
  expect((await diagnosed({ role: null })).effective_grants).toEqual([]);
});
