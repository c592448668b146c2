import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gapStore } from '../../shared/adapters/dynamodb/deliveries/gaps.ts';
import { deliveryKey } from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import { sentStore } from '../../shared/adapters/dynamodb/registry/webhooks.ts';
import { attributes } from '../../shared/adapters/dynamodb/requests/items.ts';
import { changing, updateItem } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { refusedActions } from '../../shared/contract/audit.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { AuditEntry } from '../../shared/domain/workspaces/access/records.ts';
import { startCodehostWorld } from '../support/codehost-world.ts';
import { type Answer, codeOf, deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { exampleOf } from '../support/route-examples.ts';

const world = provideForAll(startCodehostWorld);
let send: Send;
beforeAll(async () => {
  send = await deployedFunctions();
});

const all = Object.entries(routes as Readonly<Record<string, Route>>);
let built = 0;

/** A workspace with one of everything, and what an act adds to its audit log. */
async function place() {
  const name = `audited-${built++}`;
  const here = await furnishedWorkspace(world, send, name);
  const entries = () => world.operator.registry.audit.latest(here.id, 1_000);
  const as = (role: string) => world.issuer.sign(`${name}-${role}`);
  const admin = await as('admin');
  return {
    ...here,
    as,
    ask: (route: Route, parts: Partial<Sent> = {}) => send({ ...exampleOf(route, here.known), token: admin, ...parts }),
    added: async (act: () => Promise<Answer>) => {
      const before = new Set((await entries()).map(({ at, id }) => at + id));
      const answer = await act();
      return { answer, entries: (await entries()).filter(({ at, id }) => !before.has(at + id)) };
    },
  };
}
type Place = Awaited<ReturnType<typeof place>>;

const verifier = randomBytes(48).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const redirect_uri = 'http://127.0.0.1/callback';
const device = { redirect_uri, device_id: 'device-1', client_id: 'client-12345' };

async function codeOfDevice({ ask, id }: Place): Promise<string> {
  const body = { workspace_id: id, code_challenge: challenge, device_name: 'laptop', ...device };
  return JSON.parse((await ask(routes.authorizeAgent, { body })).text).code;
}

const inState = (state: string) => async (here: Place) => {
  const { delivery_id } = here.known;
  await updateItem(world.table, deliveryKey(here.id, delivery_id as never), changing({ set: attributes({ state }) }));
  return {};
};

async function withInstallation(here: Place) {
  const app = world.app();
  await here.ask(routes.putAppConfig, { body: { workspace_id: here.id, ...app } });
  return { workspace_id: here.id, installation_id: String(world.install(app).id) };
}

async function withAddedInstallation(here: Place) {
  const body = await withInstallation(here);
  await here.ask(routes.addInstallation, { body });
  const { installation_id } = body;
  return { params: { installation_id }, query: body };
}

/** What acts need that the example of their route does not have. */
const prepared: Readonly<Record<string, (here: Place) => Promise<Partial<Sent>>>> = {
  updateCollectionProject: async ({ id }) => ({
    body: { workspace_id: id, tracking_plan: { mode: 'warn', events: {} } },
  }),
  patchCheck: async ({ id }) => ({ body: { workspace_id: id, name: 'another name' } }),
  patchArtifact: async ({ id }) => ({ body: { workspace_id: id, status: 'superseded' } }),
  retryDelivery: inState('failed'),
  releaseDelivery: inState('held'),
  removeCollectionOrigin: async ({ ask }) => {
    await ask(routes.addCollectionOrigin);
    return {};
  },
  removeProviderKey: async ({ ask }) => {
    const { id } = JSON.parse((await ask(routes.registerProviderKey)).text);
    return { params: { provider_instance_id: id } };
  },
  patchGap: async ({ id, known: { provider_instance_id } }) => {
    const details = { cadence: null, last_receipt: null, backlog: 0, normalizer_version: null, reason: 'A test.' };
    const fresh = {
      id: randomUUID(),
      gap_type: 'backlog' as const,
      status: 'open' as const,
      resolved_at: null,
      details,
    };
    const gap = { ...fresh, opened_at: new Date().toISOString() };
    const { revision } = await gapStore(world.table).current(id, provider_instance_id as never);
    const review = { after: revision, current: [gap], changed: [gap], opened: [] };
    await gapStore(world.table).commit(id, provider_instance_id as never, review);
    return { params: { provider_instance_id, gap_id: gap.id }, body: { workspace_id: id, status: 'ignored' } };
  },
  forgetScope: async ({ ask, id }) => {
    const { items } = JSON.parse((await ask(routes.listScopes)).text);
    return { body: { workspace_id: id, scope_key: items[0].scope_key, dry_run: false } };
  },
  retryWebhookDelivery: async ({ id, known: { webhook_id } }) => {
    const notification = {
      id: 'n',
      type: 'gap.opened' as const,
      occurred_at: new Date().toISOString(),
      summary: '',
      data: {},
    };
    const sent = {
      workspace_id: id,
      webhook_id: webhook_id as never,
      place: `${notification.occurred_at}#n`,
      notification,
    };
    await sentStore(world.table).open({ ...sent, state: 'failed', attempts: [], next_attempt_at: null });
    return { params: { webhook_id, notification_id: 'n' } };
  },
  addInstallation: async (here) => ({ body: await withInstallation(here) }),
  finishInstallation: async (here) => {
    const state = randomUUID();
    const body = await withInstallation(here);
    await here.ask(routes.startInstallation, { body: { workspace_id: here.id, state } });
    return { body: { ...body, state } };
  },
  deleteInstallation: async (here) => ({ ...(await withAddedInstallation(here)), query: { workspace_id: here.id } }),
  deleteNamedInstallation: withAddedInstallation,
  exchangeAgentCode: async (here) => {
    const { client_id: _, ...rest } = device;
    return { token: null, body: { code: await codeOfDevice(here), code_verifier: verifier, ...rest } };
  },
  exchangeOAuthCode: async (here) => {
    const fields = {
      grant_type: 'authorization_code',
      code_verifier: verifier,
      redirect_uri,
      client_id: device.client_id,
    };
    const body = Buffer.from(new URLSearchParams({ ...fields, code: await codeOfDevice(here) }).toString());
    return { token: null, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body };
  },
};

/** The batch, the delivery or the upload is itself the record of who sent what. */
const ingestion = [
  ...['collectBatch', 'collectCompatible', 'captureEvents', 'collectSegment', 'receiveWebhook', 'postManifest'],
  ...['postOpenLineageEvent', 'postOpenLineageBatch', 'postDatahubExport', 'postSqlmeshProject', 'postDbtManifest'],
  ...['createUpload', 'completeUpload'],
];
/** They answer a question, or store only what anybody may ask again. */
const questions = [
  ...['diffProject', 'previewPolicy', 'diagnoseAccess', 'validateAppConfig', 'registerClient', 'postMcp'],
];

const documentation = readFileSync(path.resolve(import.meta.dirname, '../../docs/contract/access.md'), 'utf8');
const rows = [...documentation.matchAll(/^([A-Z]+ \/\S+) {2,}([a-z_.]+(?:, [a-z_.]+)*)$/gm)];
/** By the method and path of a route. */
const documented = new Map(rows.map(([, route = '', actions = '']) => [route, actions.split(', ')]));
const actionsOf = ({ method, path: place_ }: Route) => documented.get(`${method} ${place_}`);

describe('the contract’s list of audited acts', () => {
  it('has every route that changes something, and the read of raw payloads (C-AUDIT-1)', () => {
    const others = [...ingestion, ...questions];
    const changing = all.filter(([name, { method }]) => method !== 'GET' || name === 'getDeliveryPayload');
    const listed = changing.filter(([, route]) => actionsOf(route)).map(([name]) => name);
    expect([...listed, ...others].toSorted()).toEqual(changing.map(([name]) => name).toSorted());
    expect(documented.size).toBe(listed.length);
  });

  it('leaves out no act that needs an administrator, except questions (C-AUDIT-1)', () => {
    const unaudited = all.filter(
      ([, route]) =>
        route.method !== 'GET' && !actionsOf(route) && 'role' in route.access && route.access.role === 'admin',
    );
    expect(unaudited.map(([name]) => name).toSorted()).toEqual(['previewPolicy', 'validateAppConfig']);
  });
});

const audited = all.filter(([, route]) => actionsOf(route));

describe('an audited act', () => {
  it.each(audited)('leaves its entry, with who and what: %s (C-AUDIT-1, C-ADMIN-3)', async (name, route) => {
    const here = await place();
    const parts = (await prepared[name]?.(here)) ?? {};
    const { answer, entries } = await here.added(() => here.ask(route, parts));
    expect([name, answer.status < 300 ? '' : answer.text]).toEqual([name, '']);
    const [entry] = entries.filter(({ action }) => actionsOf(route)?.includes(action));
    expect(entry, entries.map(({ action }) => action).join()).toMatchObject({ actor: `${here.name}-admin` });
    expect(JSON.stringify(entry)).not.toMatch(/"d(?:pt|pk|sk)_|whsec_/);
  });

  it('says of a provider whether it was paused or resumed', async () => {
    const here = await place();
    const { provider_instance_id } = here.known;
    for (const status of ['paused', 'active']) {
      const body = { workspace_id: here.id, status };
      const { entries } = await here.added(() => here.ask(routes.patchProvider, { body }));
      expect(entries).toMatchObject([{ action: 'provider.update', subject: { provider_instance_id, status } }]);
    }
  });
});

describe('a refused attempt at administration', () => {
  const administration = all.filter(([, { access }]) => access.kind === 'member' && access.role === 'admin');

  it('leaves an entry with the route and the reason, on each route that a member tries (C-AUDIT-2)', async () => {
    const here = await place();
    const token = await here.as('editor');
    for (const [name, route] of administration) {
      const { answer, entries } = await here.added(() => here.ask(route, { token }));
      expect([name, codeOf(answer)]).toEqual([name, 'insufficient_workspace_role']);
      expect(entries, name).toMatchObject([refusal(here, 'editor', `${route.method} ${route.path}`, codeOf(answer))]);
    }
  });

  it('leaves one audit entry a minute if it is repeated, with the code of the refusal (C-AUDIT-2)', async () => {
    const here = await place();
    const { token } = await world.token(here.id, `${here.name}-admin`, ['read']);
    const at = Math.floor(Date.now() / 60_000);
    const { entries } = await here.added(async () => {
      for (let i = 0; i < 3; i++) await here.ask(routes.putPolicy, { token });
      return here.ask(routes.createToken, { token });
    });
    if (Math.floor(Date.now() / 60_000) === at) expect(entries).toHaveLength(2);
    expect(new Set(entries.map(({ subject }) => subject['code']))).toEqual(
      new Set(['insufficient_scope', 'session_required']),
    );
  });

  it('leaves an audit entry only if the caller is a member (C-AUDIT-2, C-ACCESS-8)', async () => {
    const [here, other] = [await place(), await place()];
    const token = (await world.token(other.id, `${other.name}-admin`, ['admin'])).token;
    const outside = await other.added(async () => {
      await here.ask(routes.putPolicy, { token: await other.as('admin') });
      return here.ask(routes.putPolicy, { token });
    });
    expect(codeOf(outside.answer)).toBe('workspace_token_mismatch');
    expect(outside.entries).toMatchObject([{ workspace_id: other.id, subject: { code: 'workspace_token_mismatch' } }]);
    const own = await world.operator.registry.audit.latest(here.id, 1_000);
    expect(own.filter(({ action }) => action === refusedActions.administration)).toEqual([]);
  });

  it('is also one’s own request that an administrator approves (C-AUDIT-2, C-ACCESS-12)', async () => {
    const here = await place();
    const asked = await here.ask(routes.createAccessRequest, {
      body: { workspace_id: here.id, connector_id: here.known.connector_id, role: 'editor', reason: 'r' },
    });
    const params = { access_request_id: JSON.parse(asked.text).id };
    const { answer, entries } = await here.added(() => here.ask(routes.approveAccessRequest, { params }));
    const { method, path: place_ } = routes.approveAccessRequest;
    expect(entries).toMatchObject([refusal(here, 'admin', `${method} ${place_}`, codeOf(answer))]);
  });

  const refusal = ({ name }: Place, role: string, route: string, code: string | null): Partial<AuditEntry> => ({
    action: refusedActions.administration,
    actor: `${name}-${role}`,
    subject: { route, code },
  });
});

describe('a refused exchange of a code', () => {
  it.each(['exchangeAgentCode', 'exchangeOAuthCode'] as const)(
    'leaves an entry, whether the code was presented wrongly or again: %s (C-AUDIT-3)',
    async (name) => {
      const here = await place();
      const parts = (await prepared[name]?.(here)) ?? {};
      const wrong = { ...parts, body: replaced(parts.body, verifier, 'v'.repeat(64)) };
      const first = await here.added(() => here.ask(routes[name], wrong));
      expect(first.entries).toMatchObject([{ action: refusedActions.exchange, subject: { device_name: 'laptop' } }]);
      const again = (await prepared[name]?.(here)) ?? {};
      await here.ask(routes[name], again);
      const second = await here.added(() => here.ask(routes[name], again));
      expect(second.entries.map(({ action }) => action).toSorted()).toEqual([refusedActions.exchange, 'token.revoke']);
    },
  );

  const replaced = (body: unknown, from: string, to: string): unknown =>
    Buffer.isBuffer(body)
      ? Buffer.from(body.toString().replace(from, to))
      : JSON.parse(JSON.stringify(body).replace(from, to));
});
