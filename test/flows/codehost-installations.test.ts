import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CodehostPlace, type CodehostWorld, startCodehostWorld } from '../support/codehost-world.ts';
import type { Json } from '../support/json-answer.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startCodehostWorld);
let place: CodehostPlace;
let app: ReturnType<CodehostWorld['app']>;
beforeEach(async () => {
  world.later(0);
  place = await world.place();
  app = world.app();
  await place.put(app);
});

const path = '/v1/codehost/installations';
const newState = () => randomUUID();
const start = (state: string, token?: string) => place.post(`${path}/start`, { state }, token);
const finish = (body: Json, token?: string) => place.post(`${path}/callback`, body, token);
const listed = async () => (await place.get(path)).json['installations'] as Json[];

describe('an installation', () => {
  it('begins at the host, and comes back with its state, once (C-CODEHOST-5)', async () => {
    const [state, installation_id] = [newState(), String(world.install(app).id)];
    const started = await start(state);
    expect(started).toMatchObject({ status: 200, json: { mode: 'customer_owned', app_slug: app.app_slug } });
    expect(started.json['install_url']).toBe(
      `${world.host.url}/github-apps/${app.app_slug}/installations/new?state=${state}`,
    );
    const back = await finish({ installation_id, state, setup_action: 'install' });
    expect(back).toMatchObject({
      status: 200,
      json: {
        status: 'active',
        account_login: `org-${installation_id}`,
        installed_by: `${place.name}-admin`,
        missing_permissions: [],
      },
    });
    expect(await listed()).toMatchObject([{ installation_id, status: 'active' }]);
    expect((await finish({ installation_id, state })).code).toBe('invalid_grant');
  });

  it('needs the unexpired state of the user who started it, and the first callback uses it up (C-CODEHOST-5)', async () => {
    const installation_id = String(world.install(app).id);
    const state = newState();
    await start(state);
    expect((await finish({ installation_id, state: newState() })).code).toBe('invalid_grant');
    expect((await finish({ installation_id, state })).code).toBe('invalid_grant');
    await start(state);
    world.later(601);
    expect((await finish({ installation_id, state })).code).toBe('invalid_grant');
    world.later(0);
    const second = await world.place();
    await second.put(world.app());
    await second.post(`${path}/start`, { state });
    expect((await finish({ installation_id, state })).code).toBe('invalid_grant');
    expect(await listed()).toEqual([]);
  });

  it('needs no state if it was changed at the host, and names the permissions that it lacks (C-CODEHOST-7)', async () => {
    const installation = world.install(app);
    const installation_id = String(installation.id);
    expect((await finish({ installation_id, setup_action: 'update' })).code).toBe('invalid_grant');
    await place.post(path, { installation_id });
    Object.assign(installation, { permissions: { checks: 'read' } });
    const updated = await finish({ installation_id, setup_action: 'update' });
    expect(updated.json).toMatchObject({
      permissions: { checks: 'read' },
      missing_permissions: ['checks: write', 'contents: read', 'pull_requests: read', 'actions: read'],
    });
  });

  it('is refused if the host does not have the installation, or does not show it to the person (C-CODEHOST-6)', async () => {
    const unknown = await place.post(path, { installation_id: '99999' });
    expect([unknown.status, unknown.code]).toEqual([422, 'validation_error']);
    const ofOther = String(world.install(world.app()).id);
    expect((await place.post(path, { installation_id: ofOther })).status).toBe(422);
    const [mine, theirs] = [world.install(app).id, world.install(app).id];
    for (const [seen, status] of [
      [mine, 422],
      [theirs, 200],
    ] as const) {
      const [state, code] = [newState(), randomUUID()];
      world.host.state.codes.set(code, [seen]);
      await start(state);
      expect((await finish({ installation_id: String(theirs), state, code })).status).toBe(status);
    }
  });

  it('is stored as unverified with the reason while the host cannot be reached', async () => {
    await place.put({ ...app, private_key: 'no key' });
    const used = await place.post(path, { installation_id: '777' });
    expect(used).toMatchObject({
      status: 201,
      json: { status: 'unverified', last_error: expect.stringContaining('private key') },
    });
    await place.put(app);
    const { id } = world.install(app);
    world.host.state.limit = {
      status: 403,
      headers: { 'retry-after': '3' },
      message: 'secondary rate limit',
      times: 1,
    };
    expect((await place.post(path, { installation_id: String(id) })).json).toMatchObject({ status: 'unverified' });
    expect((await place.post(path, { installation_id: String(id) })).json).toMatchObject({
      status: 'active',
      last_error: null,
    });
  });

  it('is forgotten by the host’s number or by its own id, and by query (C-CODEHOST-7)', async () => {
    const ids = [world.install(app), world.install(app), world.install(app)].map(({ id }) => String(id));
    for (const installation_id of ids) await place.post(path, { installation_id });
    const own = String((await listed()).find((one) => one['installation_id'] === ids[1])?.['id']);
    expect((await place.remove(`${path}/{installation_id}`, { installation_id: ids[0] ?? '' })).status).toBe(204);
    expect((await place.remove(`${path}/{installation_id}`, { installation_id: own })).status).toBe(204);
    expect((await place.remove(path, {}, { installation_id: ids[2] })).status).toBe(204);
    expect(await listed()).toEqual([]);
    expect((await place.remove(path, {}, { installation_id: ids[2] })).code).toBe('not_found');
  });

  it('needs an app', async () => {
    const bare = await world.place();
    expect((await bare.post(`${path}/start`, { state: newState() })).code).toBe('not_found');
    expect((await bare.get(path)).json).toMatchObject({
      configured: false,
      configs: [],
      installations: [],
      app_slug: null,
    });
  });
});

describe('the app of the deployment', () => {
  it('serves every workspace, and accepts an installation only if the host shows it to the person, for one workspace (C-CODEHOST-6)', async () => {
    const own = world.app();
    const { private_key, client_secret, webhook_secret, ...named } = own;
    await world.ports.secrets.put('service', {
      private_key,
      client_secret,
      webhook_secrets: [{ secret: webhook_secret, valid_until: null }],
    });
    Object.assign(world.ports, { serviceApp: { ...named, secrets_ref: 'service' } });
    const [one, two] = [await world.place(), await world.place()];
    expect((await one.get('/v1/codehost/app-configs')).json).toMatchObject({
      configs: [{ id: 'service', mode: 'service' }],
    });
    const installation_id = String(world.install(own).id);
    expect((await one.post(path, { installation_id })).code).toBe('conflict');
    const attempt = async (from: CodehostPlace, code: string | null) => {
      const state = newState();
      expect((await from.post(`${path}/start`, { state })).json).toMatchObject({ mode: 'service' });
      if (code) world.host.state.codes.set(code, [Number(installation_id)]);
      return from.post(`${path}/callback`, { installation_id, state, ...(code && { code }) });
    };
    expect((await attempt(one, null)).code).toBe('invalid_grant');
    expect((await attempt(one, randomUUID())).json).toMatchObject({ status: 'active' });
    expect((await attempt(two, randomUUID())).code).toBe('conflict');
    Object.assign(world.ports, { serviceApp: null });
  });
});

describe('an installation of gitlab (C-CODEHOST-16)', () => {
  const token = async () => {
    const own = world.app('gitlab');
    await place.put(own);
    return own;
  };

  it('is a group that the token sees, or one project, and lists the scope that is missing', async () => {
    const own = await token();
    const { id, account } = world.install(own);
    const repository = {
      owner: account.login,
      name: 'shop',
      installationId: id,
      files: new Map(),
      branches: new Map(),
    };
    const number = world.host.state.repositories.push({
      ...repository,
      pulls: new Map(),
      checkRuns: [],
      artifacts: [],
    });
    for (const [installation_id, account_login] of [
      [String(id), account.login],
      [`project-${number}`, `${account.login}/shop`],
    ])
      expect(await place.post(path, { installation_id })).toMatchObject({
        status: 201,
        json: { status: 'active', account_login, permissions: { api: 'write' }, missing_permissions: [] },
      });
    for (const installation_id of ['99999', 'project-99999', 'group', String(world.install(world.app('gitlab')).id)])
      expect((await place.post(path, { installation_id })).status, installation_id).toBe(422);
    for (const user of world.host.state.users) user.scopes = ['read_api'];
    const reduced = await place.post(path, { installation_id: String(id) });
    expect(reduced.json).toMatchObject({ missing_permissions: ['api: write'] });
  });

  it('has no page that installs it', async () => {
    await token();
    expect((await start(newState())).code).toBe('conflict');
  });
});
