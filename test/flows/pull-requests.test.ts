import { randomBytes, randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { webhookOf } from '../../local/codehost/fake-host.ts';
import type { CodehostKind } from '../../shared/contract/codehost-apps.ts';
import { type CheckScene, newCommit, startCheckWorld } from '../support/codehost-checks.ts';
import { provideForAll } from '../support/provide.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';
import { printed } from '../support/watch-log.ts';
import { zipOf } from '../support/zip.ts';

const world = provideForAll(startCheckWorld);
let scene: CheckScene;
const begin = async (kind: CodehostKind) => {
  world.later(0);
  scene = await world.scene(kind);
  await declare(sqlManifest());
  expect((await scene.take()).json).toMatchObject({ status: 'active' });
};
const kinds = ['github', 'gitlab'] as const;

/** The shop without its model of Python, of whose columns nothing is known. */
const sqlManifest: typeof shopManifest = (change = () => undefined) =>
  shopManifest((nodes, manifest) => {
    delete nodes['model.shop.scores'];
    manifest.exposures['exposure.shop.weekly'].depends_on.nodes = ['model.shop.orders'];
    change(nodes, manifest);
  });
const declare = (manifest: object) =>
  scene.declare('/v1/lineage/dbt/manifest', {
    manifest,
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
const withoutGross = () => sqlManifest((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));
const unread = () => sqlManifest((nodes) => inSql(nodes, 'stg_orders', ', note', ''));
const opened: CheckScene['opened'] = (...event) => scene.opened(...event);
const settings = (more: object = {}, on_breaking = 'neutral') =>
  scene.put('/v1/codehost/check-settings', {
    on_breaking,
    repositories: [{ repository: scene.fullName, connector_id: scene.connector.id, project_id: 'crm', ...more }],
  });
const send = (number: number, commit: string, manifest: unknown) =>
  scene.sendManifest(number, commit, manifest, { project_id: 'crm' });
const checks = () => scene.checks();
const runs = () => scene.repository.checkRuns;

describe.each(kinds)('the check of a pull request at %s', (kind) => {
  beforeEach(() => begin(kind));

  it('says what merging breaks, at the files of the models and with their owners (C-CODEHOST-11)', async () => {
    await settings({ project_path: 'warehouse' });
    const owners = '* @org/data\n/warehouse/models/customers.sql @org/finance\n';
    scene.repository.files.set(`main:.${kind}/CODEOWNERS`, owners);
    const head = scene.push(1);
    expect(await opened(1)).toMatchObject({ status: 202, json: { duplicate: false } });
    await world.settle();
    expect(checks()).toMatchObject([
      { commit: head, conclusion: 'neutral', broken: [], title: expect.stringContaining('Waiting') },
    ]);
    expect((await send(1, head, withoutGross())).status).toBe(202);
    await world.settle();
    const run = checks().at(-1);
    expect(run).toMatchObject({ conclusion: 'neutral', title: expect.stringContaining('1 relation breaks') });
    expect(run?.broken).toEqual(['warehouse/models/orders.sql', 'warehouse/models/customers.sql']);
    const says = ['breaking: crm.core.orders.gross is removed', '```mermaid', '-- breaks -->'];
    for (const part of [...says, '`crm.core.orders` · `gross`', '`@org/finance`']) expect(run?.text).toContain(part);
  });

  it('concludes as the workspace chose, and with success only if nothing known breaks (C-CODEHOST-12)', async () => {
    await settings({}, 'failure');
    for (const [number, manifest, conclusion] of [
      [1, withoutGross(), 'failure'],
      [2, sqlManifest(), 'success'],
      [3, unread(), 'success'],
    ] as const) {
      await send(number, scene.push(number), manifest);
      await world.settle();
      expect(checks().at(-1), `${number}: ${checks().at(-1)?.text}`).toMatchObject({ conclusion });
    }
    const unknown = await world.scene(kind);
    await unknown.take();
    await unknown.put('/v1/codehost/check-settings', {
      repositories: [{ repository: unknown.fullName, connector_id: unknown.connector.id }],
    });
    await unknown.sendManifest(1, unknown.push(1), sqlManifest());
    await declare(shopManifest());
    await send(5, scene.push(5), shopManifest());
    const uncompiled = sqlManifest((nodes) => {
      for (const node of Object.values(nodes)) delete node.compiled_code;
    });
    await send(4, scene.push(4), uncompiled);
    await world.settle();
    // What is not known of models that the branch does not change stands beside the claim.
    const partly = checks().filter(({ conclusion }) => conclusion === 'success');
    expect(new Set(partly.map(({ title }) => title))).toEqual(new Set(['Nothing known breaks.']));
    expect(unknown.checks().at(-1)).toMatchObject({
      conclusion: 'neutral',
      title: 'Not compared',
      text: expect.stringContaining('was never pushed to this connector'),
    });
    expect(checks().at(-1)).toMatchObject({
      conclusion: 'neutral',
      title: 'Not compared',
      text: expect.stringContaining('Run `dbt compile` and try again.'),
    });
  });

  it('has a run for each pushed commit, always of the current head (C-CODEHOST-10)', async () => {
    await settings();
    const first = scene.push(1);
    await send(1, first, withoutGross());
    await world.settle();
    const second = scene.push(1);
    await send(1, second, sqlManifest());
    await opened(1, 'synchronize');
    // One that was sent before the push, and comes after it.
    await opened(1, 'opened');
    await send(1, first, withoutGross());
    await world.settle();
    expect(checks().map(({ commit, conclusion }) => [commit, conclusion])).toEqual([
      [first, 'neutral'],
      [second, 'success'],
    ]);
    scene.push(1);
    const pull = scene.repository.pulls.get(1);
    if (pull) pull.state = 'closed';
    await opened(1, 'synchronize');
    await world.settle();
    expect(checks()).toHaveLength(2);
  });

  it('takes the manifest of a workflow’s artifact, and else the file of the repository (C-CODEHOST-9)', async () => {
    await settings({ manifest_path: 'target/manifest.json' });
    const head = scene.push(1);
    scene.repository.files.set(`${head}:target/manifest.json`, JSON.stringify(sqlManifest()));
    await opened(1);
    await world.settle();
    expect(checks().at(-1)).toMatchObject({ commit: head, conclusion: 'success' });
    const next = scene.push(1, newCommit(), 'contributor');
    const zip = zipOf([{ name: 'target/manifest.json', content: JSON.stringify(withoutGross()) }]);
    scene.repository.artifacts.push({
      id: 7,
      name: 'tributary-manifest',
      runId: 70,
      headSha: next,
      zip,
      expired: false,
    });
    // Of a fork, a run names no pull request.
    await scene.ran(next, 'contributor');
    await world.settle();
    expect(checks().at(-1)).toMatchObject({ commit: next, title: expect.stringContaining('1 relation breaks') });
    const stored = await fetch(`${world.host.url}/storage/7?signature=held`);
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const broken = scene.push(1);
    scene.repository.artifacts.push({
      id: 8,
      name: 'tributary-manifest',
      runId: 80,
      headSha: broken,
      zip: zipOf([{ name: 'manifest.json', content: 'no json' }]),
      expired: false,
    });
    await opened(1, 'synchronize');
    await world.settle();
    expect(checks().at(-1)).toMatchObject({
      commit: broken,
      conclusion: 'neutral',
      title: 'The manifest cannot be read',
    });
  });

  it('waits as the host asks by its limits, and tries again (C-CODEHOST-13)', async () => {
    await settings();
    const head = scene.push(1);
    await send(1, head, sqlManifest());
    const reset = String(Math.ceil(Date.now() / 1_000) + 1_800);
    world.host.state.limit = {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      message: 'API rate limit exceeded',
      times: 1,
    };
    expect(await world.settle()).toEqual([900]);
    world.later(1_000);
    expect(await world.settle()).toEqual([900]);
    world.later(1_900);
    world.host.state.limit = {
      status: 429,
      headers: { 'retry-after': '7' },
      message: 'You have exceeded a secondary rate limit',
      times: 1,
    };
    expect(await world.settle()).toEqual([7]);
    expect(checks()).toEqual([]);
    world.later(2_000);
    expect(await world.settle()).toEqual([]);
    expect(checks()).toMatchObject([{ commit: head, conclusion: 'success' }]);
  });

  it('does nothing for a repository that is not configured, and shows a missing permission at the installation (C-CODEHOST-13)', async () => {
    scene.push(1);
    await opened(1);
    await world.settle();
    expect(checks()).toEqual([]);
    await settings();
    scene.installation.permissions['checks'] = 'read';
    for (const user of world.host.state.users) user.scopes = ['read_api'];
    await opened(1, 'reopened');
    await world.settle();
    expect((await scene.list('/v1/codehost/installations')).json).toMatchObject({
      installations: [{ missing_permissions: [kind === 'github' ? 'checks: write' : 'api: write'] }],
    });
    expect(checks()).toEqual([]);
  });
});

describe('a check run of github', () => {
  beforeEach(() => begin('github'));

  it('sends fifty annotations a request, and goes on where it was interrupted (C-CODEHOST-11)', async () => {
    await settings();
    const many = (drop: boolean) =>
      sqlManifest((nodes, manifest) => {
        const columns = Array.from({ length: 130 }, (_, i) => `amount as c${i}`).join(', ');
        if (!drop) inSql(nodes, 'stg_orders', ', note', `, ${columns}`);
        const model = structuredClone(nodes['model.shop.customers']);
        if (!model) throw new Error('no such model');
        Object.assign(model, {
          unique_id: 'model.shop.wide',
          name: 'wide',
          alias: 'wide',
          relation_name: '"crm"."core"."wide"',
          original_file_path: 'models/wide.sql',
        });
        model.compiled_code = `select ${Array.from({ length: 130 }, (_, i) => `c${i}`).join(', ')} from "crm"."core"."stg_orders"`;
        model.depends_on = { nodes: ['model.shop.stg_orders'] };
        nodes['model.shop.wide'] = model;
        return manifest;
      });
    await declare(many(false));
    const head = scene.push(1);
    await send(1, head, many(true));
    await world.settle();
    const [run] = runs();
    expect(run?.status).toBe('completed');
    expect(run?.requests.every((count) => count <= 50)).toBe(true);
    expect(run?.annotations.length).toBeGreaterThan(100);
    expect(new Set(run?.annotations.map((one) => JSON.stringify(one))).size).toBe(run?.annotations.length);
    const whole = run?.annotations.length ?? 0;
    Object.assign(run ?? {}, { status: 'in_progress', conclusion: null });
    run?.annotations.splice(60);
    await scene.tell('check_run', {
      action: 'rerequested',
      check_run: { head_sha: head, pull_requests: [{ number: 1 }] },
    });
    await world.settle();
    expect(runs()).toHaveLength(1);
    expect(run?.annotations.length).toBe(whole);
    expect(run?.status).toBe('completed');
  });
});

describe.each(kinds)('a webhook of %s', (kind) => {
  beforeEach(() => begin(kind));

  it('is accepted once however often it is delivered, and kept as received (C-CODEHOST-8)', async () => {
    await settings();
    scene.push(1);
    const delivery = randomUUID();
    expect((await opened(1, 'opened', undefined, delivery)).json).toEqual({
      delivery_id: delivery,
      duplicate: false,
    });
    expect(world.queued).toHaveLength(1);
    for (let i = 0; i < 2; i++)
      expect(await opened(1, 'opened', undefined, delivery)).toMatchObject({
        status: 202,
        json: { duplicate: true },
      });
    expect(world.queued).toHaveLength(1);
    await world.settle();
    // Of many at once one is the first.
    const other = randomUUID();
    const repeats = await Promise.all(Array.from({ length: 20 }, () => opened(1, 'opened', undefined, other)));
    expect(repeats.filter(({ json }) => json['duplicate'] === false)).toHaveLength(1);
    await world.settle();
    // The same bytes under another number ask for the same again, which changes nothing.
    await opened(1);
    await world.settle();
    expect(checks()).toHaveLength(1);
  });

  it('may be signed with the secret before for an hour (C-CODEHOST-2)', async () => {
    const next = randomUUID();
    const former = scene.app.webhook_secret;
    await scene.put('/v1/codehost/app-configs', { ...scene.app, ...scene.urls, webhook_secret: next });
    for (const secret of [former, next]) expect((await scene.ping(secret)).status).toBe(202);
    world.later(3_700);
    expect((await scene.ping(former)).status).toBe(401);
    expect((await scene.ping(next)).status).toBe(202);
    await world.settle();
  });

  it('leaves no secret and no token in an item, a message or the log, also if the host fails (C-CODEHOST-2)', async () => {
    await settings();
    await send(1, scene.push(1), withoutGross());
    const pending = structuredClone(world.queued);
    world.host.state.limit = { status: 500, headers: {}, message: 'Server Error', times: 1 };
    await world.settle();
    world.later(60);
    await world.settle();
    expect(checks()).toHaveLength(1);
    const { Items = [] } = await world.table.client.send(new ScanCommand({ TableName: world.table.name }));
    const seen = [JSON.stringify(Items), JSON.stringify(pending), ...printed()].join('\n');
    const { app_id, app_slug, kind: _, ...secrets } = scene.app;
    const tokens = [...world.host.state.tokens.keys()];
    expect(kind === 'gitlab' || tokens.length > 0).toBe(true);
    const lines = Object.values(secrets)
      .flatMap((secret) => secret.split('\n'))
      .filter((line) => line.length > 20);
    for (const secret of [...lines, ...tokens]) expect(seen.includes(secret)).toBe(false);
    for (const named of [app_id, app_slug]) expect(seen).toContain(named);
  });
});

describe('a webhook of github', () => {
  beforeEach(() => begin('github'));

  it('is refused unless a valid secret signed its bytes (C-CODEHOST-8)', async () => {
    const { app } = scene;
    const real = webhookOf('ping', { zen: 'x' }, app.webhook_secret);
    const attempts = [
      webhookOf('ping', { zen: 'x' }, 'another secret'),
      { ...real, body: real.body.replace('x', 'y') },
      {
        ...real,
        headers: {
          ...real.headers,
          'x-hub-signature-256': real.headers['x-hub-signature-256'].replace('sha256=', 'sha1='),
        },
      },
      { ...real, headers: { ...real.headers, 'x-hub-signature-256': 'sha256=' } },
      { ...real, headers: { 'content-type': 'application/json' } },
    ];
    for (const attempt of attempts)
      expect(await scene.sent(attempt as typeof real)).toMatchObject({ status: 401, code: 'unauthorized' });
    const elsewhere = await scene.ask('POST', '/v1/codehost/webhooks/{config_id}', {
      ...real,
      params: { config_id: 'app_none' },
      body: Buffer.from(real.body),
    });
    expect(elsewhere.code).toBe('unauthorized');
    expect(world.queued).toEqual([]);
    const { 'x-github-delivery': _, ...unnumbered } = real.headers;
    expect((await scene.sent({ ...real, headers: unnumbered as typeof real.headers })).code).toBe('validation_error');
    const array = webhookOf('ping', [], app.webhook_secret);
    expect(await scene.sent(array)).toMatchObject({ status: 422, code: 'validation_error' });
    expect(await scene.sent(real)).toMatchObject({ status: 202 });
    expect(printed().join('\n').includes(app.webhook_secret)).toBe(false);
    await world.settle();
  });

  it('has an installation looked at again: suspended, restored and gone, in whatever order the webhooks arrive (C-CODEHOST-14)', async () => {
    const status = async () =>
      ((await scene.list('/v1/codehost/installations')).json['installations'] as { status: string }[])[0]?.status;
    scene.installation.suspendedAt = '2026-11-21T12:00:00Z';
    await scene.tell('installation', { action: 'suspend' });
    await world.settle();
    expect(await status()).toBe('suspended');
    scene.installation.suspendedAt = null;
    await scene.tell('installation', { action: 'unsuspend' });
    await scene.tell('installation', { action: 'suspend' });
    await world.settle();
    expect(await status()).toBe('active');
    world.host.state.installations.splice(world.host.state.installations.indexOf(scene.installation), 1);
    await scene.tell('installation', { action: 'deleted' });
    await world.settle();
    expect(await status()).toBe('deleted');
    scene.push(1);
    await opened(1);
    await world.settle();
    expect(runs()).toEqual([]);
  });
});

describe('a webhook of gitlab', () => {
  beforeEach(() => begin('gitlab'));

  it('is refused without the token, and with another (C-CODEHOST-17)', async () => {
    const real = scene.webhook('Push Hook', {}, scene.app.webhook_secret);
    const { 'x-gitlab-token': _, ...bare } = real.headers;
    const attempts = [
      scene.webhook('Push Hook', {}, `${scene.app.webhook_secret}x`),
      scene.webhook('Push Hook', {}, ''),
      { ...real, headers: bare },
      // Signed as the other kind of host signs.
      webhookOf('ping', {}, scene.app.webhook_secret),
    ];
    for (const attempt of attempts)
      expect(await scene.sent(attempt)).toMatchObject({ status: 401, code: 'unauthorized' });
    const { 'idempotency-key': __, 'x-gitlab-event-uuid': ___, ...unnumbered } = real.headers;
    expect((await scene.sent({ ...real, headers: unnumbered })).code).toBe('validation_error');
    expect(world.queued).toEqual([]);
    expect(await scene.sent(real)).toMatchObject({ status: 202, json: { duplicate: false } });
    expect(printed().join('\n').includes(scene.app.webhook_secret)).toBe(false);
    await world.settle();
  });

  it('is accepted by a signing token only if it signed these bytes, this id and this time (C-CODEHOST-17)', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await scene.put('/v1/codehost/app-configs', { ...scene.app, ...scene.urls, webhook_secret: secret });
    world.later(3_700);
    const stale = scene.webhook('Push Hook', {}, secret);
    expect((await scene.sent(stale)).status).toBe(401);
    world.later(0);
    await scene.put('/v1/codehost/app-configs', { ...scene.app, ...scene.urls, webhook_secret: secret });
    const real = scene.webhook('Push Hook', {}, secret);
    const changed = (headers: object) => ({ ...real, headers: { ...real.headers, ...headers } });
    for (const attempt of [
      { ...real, body: `${real.body} ` },
      changed({ 'webhook-id': randomUUID() }),
      changed({ 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) }),
      changed({ 'webhook-signature': '' }),
      changed({ 'webhook-signature': 'v1,', 'x-gitlab-token': secret }),
    ])
      expect((await scene.sent(attempt)).status).toBe(401);
    const many = changed({ 'webhook-signature': `v1,other ${Object(real.headers)['webhook-signature']}` });
    expect(await scene.sent(many)).toMatchObject({ status: 202, json: { duplicate: false } });
    expect(await scene.sent(real)).toMatchObject({ status: 202, json: { duplicate: true } });
    await world.settle();
  });
});

describe('the note on a merge request', () => {
  beforeEach(() => begin('gitlab'));
  const notes = () => world.host.state.notes.filter(({ repository }) => repository === scene.repository);

  it('is one, changed in place, and never another’s that looks like it (C-CODEHOST-18)', async () => {
    await settings();
    const { state } = world.host;
    const forged = {
      id: 90_000,
      number: 1,
      body: '<!-- tributary check -->\nAll is well.',
      author: { id: 5, login: 'mallory' },
    };
    state.notes.push({ ...forged, repository: scene.repository });
    const head = scene.push(1);
    await opened(1);
    await world.settle();
    await send(1, head, withoutGross());
    await send(1, head, withoutGross());
    await world.settle();
    expect(notes()).toHaveLength(2);
    expect(notes()[0]).toMatchObject(forged);
    expect(notes()[1]).toMatchObject({ number: 1, author: { login: scene.app.app_slug } });
    expect(notes()[1]?.body).toContain('1 breaking');
    expect(state.statuses.filter(({ sha }) => sha === head).map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
    ]);
    expect(state.statuses.at(-1)?.target_url).toContain(`#note_${notes()[1]?.id}`);
  });

  it('says the last commit, though a check of the commit before ends later (C-CODEHOST-18)', async () => {
    await settings();
    const [first, { state }] = [scene.push(1), world.host];
    await send(1, first, withoutGross());
    const notesBefore = state.log.length;
    const { push } = state.notes;
    let second = '';
    // The push comes while the note is written.
    state.notes.push = (...added) => {
      second ||= scene.push(1);
      return push.apply(state.notes, added);
    };
    expect(await world.settle()).toEqual([30]);
    state.notes.push = push;
    expect(state.log.length).toBeGreaterThan(notesBefore);
    expect(checks()).toEqual([]);
    await send(1, second, sqlManifest());
    world.later(40);
    await world.settle();
    expect(checks()).toMatchObject([{ commit: second, conclusion: 'success' }]);
    expect(notes()[0]?.body).toContain(second.slice(0, 12));
  });

  it('has no command of the host and no mention, whatever a project is named (C-CODEHOST-18)', async () => {
    await settings();
    const hostile = '/close\n/approve\n@all';
    const named = sqlManifest((_, manifest) => Object.assign(manifest.metadata, { project_name: hostile }));
    await scene.sendManifest(1, scene.push(1), named, { project_id: hostile });
    await world.settle();
    expect(notes()[0]?.body).toContain('approve');
    expect(notes()[0]?.body).not.toContain('@');
    expect(world.host.state.log.filter((line) => line.startsWith('quick action'))).toEqual([]);
  });
});

describe('the settings of checks', () => {
  beforeEach(() => begin('github'));

  it('name connectors of the workspace, and each repository once (C-CODEHOST-15)', async () => {
    expect((await scene.list('/v1/codehost/check-settings')).json).toMatchObject({
      on_breaking: 'neutral',
      repositories: [],
    });
    expect((await settings()).json).toMatchObject({
      repositories: [{ repository: scene.fullName, artifact_name: 'tributary-manifest' }],
    });
    expect((await settings({ connector_id: 'none' })).code).toBe('validation_error');
    const one = { repository: scene.fullName, connector_id: scene.connector.id };
    expect(
      (
        await scene.put('/v1/codehost/check-settings', {
          repositories: [one, { ...one, repository: scene.fullName.toUpperCase() }],
        })
      ).code,
    ).toBe('validation_error');
    for (const manifest_path of ['/etc/passwd', '../manifest.json', 'a/../../b', ''])
      expect((await settings({ manifest_path })).code, manifest_path).toBe('validation_error');
    expect((await scene.sendManifest(1, newCommit(), {}, { connector_id: 'none' })).code).toBe('not_found');
  });
});
