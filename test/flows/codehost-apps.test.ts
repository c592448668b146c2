import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppConfigId } from '../../shared/contract/ids.ts';
import { type CodehostPlace, startCodehostWorld } from '../support/codehost-world.ts';
import type { Json } from '../support/json-answer.ts';
import { provideForAll } from '../support/provide.ts';
import { printed } from '../support/watch-log.ts';

const world = provideForAll(startCodehostWorld);
let place: CodehostPlace;
beforeEach(async () => {
  world.later(0);
  place = await world.place();
});

const path = '/v1/codehost/app-configs';
const validate = (body: Json) => place.post(`${path}/validate`, body);

async function secretsOf(id: unknown) {
  const found = await world.ports.registry.apps.find({ workspace_id: place.id, id: v.parse(AppConfigId, id) });
  return world.ports.secrets.get(found?.record.secrets_ref ?? '');
}

describe.each(['github', 'gitlab'] as const)('the configuration of an app of %s', (kind) => {
  const newApp = () => world.app(kind);

  it('does not change if the PUT is repeated, and keeps omitted fields (C-CODEHOST-1)', async () => {
    const app = newApp();
    const first = await place.put(app);
    expect(first).toMatchObject({
      status: 200,
      json: {
        mode: 'customer_owned',
        kind,
        app_id: app.app_id,
        status: 'unvalidated',
        webhook_configured: true,
        client_id: app.client_id,
      },
    });
    const { private_key, app_id, codehost_base_url, api_base_url } = app;
    const repeated = await place.put({ app_id, app_slug: 'renamed', private_key, codehost_base_url, api_base_url });
    expect(repeated.json).toMatchObject({
      id: first.json['id'],
      app_slug: 'renamed',
      webhook_configured: true,
      client_id: app.client_id,
    });
    expect((await place.get(path)).json).toMatchObject({ configured: true, configs: [{ id: first.json['id'] }] });
    expect(await secretsOf(first.json['id'])).toMatchObject({
      client_secret: app.client_secret,
      webhook_secrets: [{ secret: app.webhook_secret, valid_until: null }],
    });
  });

  it('has its secrets in no answer, no item and no line of the log (C-CODEHOST-2)', async () => {
    const app = newApp();
    const answers = [
      await place.put(app),
      await validate({}),
      await place.get(path),
      await place.get('/v1/codehost/installations'),
    ];
    const { Items = [] } = await world.table.client.send(new ScanCommand({ TableName: world.table.name }));
    const seen = [...answers.map(({ text }) => text), JSON.stringify(Items), ...printed()].join('\n');
    for (const secret of [app.webhook_secret, app.client_secret, app.private_key.split('\n')[1] ?? app.private_key])
      expect(seen.includes(secret)).toBe(false);
    expect(seen).toContain(app.app_id);
  });

  it('is validated by asking the host as the app (C-CODEHOST-3)', async () => {
    const app = newApp();
    await place.put(app);
    expect((await validate({})).json).toMatchObject({
      valid: true,
      app_id: app.app_id,
      app_slug: app.app_slug,
      message: null,
      config: { status: 'valid', last_error: null, last_validated_at: expect.any(String) },
    });
    const other = newApp();
    const stolen = await validate({ ...app, private_key: other.private_key });
    expect(stolen.json).toMatchObject({ valid: false, config: null });
    expect((await validate({ ...app, app_slug: 'another' })).json).toMatchObject({
      valid: false,
      app_slug: app.app_slug,
    });
    expect((await place.get(path)).json).toMatchObject({ configs: [{ status: 'valid' }] });
  });

  it('takes an empty secret as none, and no signing key that could be guessed (C-CODEHOST-2)', async () => {
    const app = world.app();
    const { status, json } = await place.put({ ...app, webhook_secret: '', client_secret: '' });
    expect([status, json['webhook_configured']]).toEqual([200, false]);
    for (const webhook_secret of ['whsec_', `whsec_${'A'.repeat(31)}`]) {
      const refused = await place.put({ ...app, webhook_secret });
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([
        422,
        expect.stringContaining('"/webhook_secret"'),
      ]);
    }
    expect((await place.put({ ...app, webhook_secret: `whsec_${'A'.repeat(32)}` })).status).toBe(200);
  });

  it('keeps the webhook secret before for an hour, and no longer (C-CODEHOST-2)', async () => {
    const app = newApp();
    const { id } = (await place.put(app)).json;
    const next = randomUUID();
    await place.put({ ...app, webhook_secret: next });
    const { webhook_secrets = [] } = (await secretsOf(id)) ?? {};
    expect(webhook_secrets.map(({ secret }) => secret)).toEqual([next, app.webhook_secret]);
    const left = Date.parse(webhook_secrets[1]?.valid_until ?? '') - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    world.later(3_601);
    await place.put({ ...app, webhook_secret: null });
    expect((await secretsOf(id))?.webhook_secrets).toEqual([{ secret: next, valid_until: null }]);
  });

  it('is forgotten with its secrets and installations, by path or by query', async () => {
    for (const removal of ['path', 'query'] as const) {
      const app = newApp();
      const { id } = (await place.put(app)).json;
      const installation = world.install(app);
      await place.post('/v1/codehost/installations', { installation_id: String(installation.id) });
      const before = await world.ports.registry.apps.find({ workspace_id: place.id, id: v.parse(AppConfigId, id) });
      const removed =
        removal === 'path'
          ? place.remove(`${path}/{config_id}`, { config_id: String(id) })
          : place.remove(path, {}, { config_id: String(id) });
      expect((await removed).status).toBe(204);
      expect(await world.ports.secrets.get(before?.record.secrets_ref ?? '')).toBeNull();
      expect((await place.get('/v1/codehost/installations')).json).toMatchObject({
        configured: false,
        installations: [],
      });
      expect((await place.remove(`${path}/{config_id}`, { config_id: String(id) })).status).toBe(404);
    }
  });

  it('belongs only to its workspace', async () => {
    const { id } = (await place.put(newApp())).json;
    const other = await world.place();
    expect((await other.get(path)).json).toMatchObject({ configured: false, configs: [] });
    expect((await other.put({ ...newApp(), config_id: id })).code).toBe('not_found');
    expect((await other.post(`${path}/validate`, { config_id: id })).code).toBe('not_found');
    expect((await other.remove(`${path}/{config_id}`, { config_id: String(id) })).code).toBe('not_found');
  });
});

describe('the configuration of an app', () => {
  it('stores an invalid private key, and reports it at validation (C-CODEHOST-3)', async () => {
    const private_key = `-----BEGIN PRIVATE KEY-----\n${randomBytes(64).toString('base64')}\n-----END PRIVATE KEY-----`;
    const { webhook_secret: _, ...app } = world.app();
    expect((await place.put({ ...app, private_key })).json).toMatchObject({ webhook_configured: false });
    const answer = await validate({});
    expect(answer.json).toMatchObject({
      valid: false,
      config: { status: 'invalid', last_error: answer.json['message'] },
    });
    const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    for (const key of [short, elliptic])
      expect((await validate({ ...app, private_key: String(key) })).json).toMatchObject({ valid: false, config: null });
  });

  it.each([
    'http://codehost.example',
    'https://user:pass@codehost.example',
    'https://codehost.example/?q=1',
    'https://codehost.example/#part',
    'https://127.0.0.1',
    'https://[::1]/api',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254/latest',
    'https://2130706433',
    'https://0x7f.1',
    'https://10.1.2.3',
    'https://localhost',
    'https://intranet',
    'https://codehost.internal',
    'ftp://codehost.example',
    'nonsense',
  ])('refuses %s as a host, by the place and not by the value (C-CODEHOST-4)', async (url) => {
    for (const field of ['api_base_url', 'codehost_base_url']) {
      const answer = await place.put({ ...world.app(), [field]: url });
      expect([answer.status, answer.code], answer.text).toEqual([422, 'validation_error']);
      expect(answer.json).toMatchObject({ detail: { errors: [{ path: `/${field}` }] } });
      expect(answer.text).not.toContain(url);
    }
  });

  it('is reached at the interface that its host has, whose address may be left empty', async () => {
    const { api_base_url: _, codehost_base_url: __, ...app } = world.app();
    const urls = async (codehost_base_url = '') =>
      (await place.put({ ...app, codehost_base_url, api_base_url: '', client_id: '' })).json;
    expect(await urls()).toMatchObject({
      api_base_url: 'https://api.github.com',
      codehost_base_url: 'https://github.com',
    });
    expect(await urls('https://code.example.com/')).toMatchObject({ api_base_url: 'https://code.example.com/api/v3' });
    expect(await urls('https://acme.ghe.com')).toMatchObject({ api_base_url: 'https://api.acme.ghe.com' });
    const { api_base_url: ___, codehost_base_url: ____, ...token } = world.app('gitlab');
    expect((await place.put(token)).json).toMatchObject({ api_base_url: 'https://gitlab.com/api/v4' });
    const below = await place.put({ ...token, codehost_base_url: 'https://code.example.com/gitlab/' });
    expect(below.json).toMatchObject({ api_base_url: 'https://code.example.com/gitlab/api/v4' });
  });

  it('keeps its kind, which a later configuration need not name (C-CODEHOST-16)', async () => {
    for (const kind of ['github', 'gitlab'] as const) {
      const { kind: _, ...app } = world.app(kind);
      const { id: config_id } = (await place.put({ ...app, kind })).json;
      expect((await place.put({ ...app, config_id })).json).toMatchObject({ id: config_id, kind });
      const other = kind === 'github' ? 'gitlab' : 'github';
      for (const named of [{ config_id }, {}]) {
        const refused = await place.put({ ...app, ...named, kind: other });
        expect([refused.status, refused.json]).toMatchObject([422, { detail: { errors: [{ path: '/kind' }] } }]);
      }
    }
    expect((await place.put({ ...world.app(), kind: 'bitbucket' })).code).toBe('validation_error');
    const { kind: _, ...unnamed } = world.app();
    expect((await place.put(unnamed)).json).toMatchObject({ kind: 'github' });
  });
});
