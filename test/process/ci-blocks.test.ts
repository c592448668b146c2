import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { newToken } from '../../local/codehost/authentication.ts';
import { type FakeHost, startFakeHost } from '../../local/codehost/fake-host.ts';
import type { HostRepository } from '../../local/codehost/state.ts';
import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };
import { commandLine } from '../support/command-line.ts';
import { gitLabRoutes, newUser } from '../support/gitlab-routes.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const head = 'a'.repeat(40);
const Input = v.object({ description: v.string(), default: v.optional(v.string()) });
const Inputs = v.record(v.string(), Input);
const Action = v.object({
  inputs: Inputs,
  runs: v.object({
    steps: v.array(v.object({ run: v.optional(v.string()), env: v.optional(v.record(v.string(), v.string()), {}) })),
  }),
});
const Spec = v.object({ spec: v.object({ inputs: Inputs }) });
const Job = v.object({
  'tributary-lineage': v.object({ script: v.array(v.string()), variables: v.record(v.string(), v.string()) }),
});
const Chosen = v.record(v.string(), v.string());

type Block = {
  readonly inputs: v.InferOutput<typeof Inputs>;
  readonly steps: readonly Step[];
  readonly chosen: Record<string, string>;
};
type Step = { readonly run: string; readonly env: Readonly<Record<string, string>> };

/** The blocks of YAML in the document. */
const documented = Array.from(
  read('docs/pull-requests.md').matchAll(/^```yaml\n([\s\S]*?)^```/gm),
  ([, block = '']) => block,
);
const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(
    /\$\{\{ inputs\.([\w-]+) \}\}|\$\[\[ inputs\.([\w-]+) \]\]/g,
    (_, one, other) => values[one ?? other] ?? '',
  );

type Way = 'files' | 'service';
/** The document has these blocks of YAML in this order, and for each way GitHub's before GitLab's. */
const shown = (way: Way, host: 0 | 1): string => documented[(way === 'files' ? 0 : 2) + host] ?? '';

function gitHubBlock(way: Way): Block {
  const { inputs, runs } = v.parse(Action, parse(read('action.yml')));
  const [{ with: chosen }] = v.parse(v.tuple([v.object({ with: Chosen })]), parse(shown(way, 0)));
  const steps = runs.steps.flatMap(({ run, env }) => (run === undefined ? [] : [{ run, env }]));
  return { inputs, steps, chosen };
}

function gitLabBlock(way: Way): Block {
  const [spec, job] = parseAllDocuments(read('templates/lineage.yml')).map((one) => one.toJS());
  const { script, variables } = v.parse(Job, job)['tributary-lineage'];
  const Include = v.object({ include: v.tuple([v.object({ inputs: Chosen })]) });
  const [{ inputs: chosen }] = v.parse(Include, parse(shown(way, 1))).include;
  // A runner runs the lines of a job in one shell.
  return { inputs: v.parse(Spec, spec).spec.inputs, steps: [{ run: script.join('\n'), env: variables }], chosen };
}

let service: ServiceProcess;
let host: FakeHost;
let folder: string;
const acme = () => {
  const { acme: found } = service.credentials.workspaces;
  if (!found) throw new Error('no such workspace');
  return found;
};
beforeAll(async () => {
  host = await startFakeHost(gitLabRoutes);
  process.env['CODEHOST_ALLOWED_HOSTS'] = new URL(host.url).host;
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'ci-blocks-'));
  writeManifest(shop);
  const place = ['--workspace', 'acme', '--connector', 'warehouse', '--credentials', service.file];
  const pushed = await commandLine(['push', 'dbt', 'project', ...place], { folder });
  expect(pushed.code, pushed.messages).toBe(0);
  writeManifest(JSON.parse(JSON.stringify(shop).replaceAll('o.amount * r.rate as gross, ', '')));
  program('npm', `echo "$@" >> "${path.join(folder, 'installed')}"`);
  program('tributary', `exec "${process.execPath}" "${path.join(root, 'cli', 'tributary.ts')}" "$@"`);
});
afterAll(async () => {
  await service.end('SIGTERM');
  await host.stop();
  rmSync(folder, { recursive: true });
});

function writeManifest(manifest: object): void {
  mkdirSync(path.join(folder, 'project', 'target'), { recursive: true });
  writeFileSync(path.join(folder, 'project', 'target', 'manifest.json'), JSON.stringify(manifest));
}

/** Shells of the blocks find it first; the command line of the checkout stands for the package. */
function program(name: string, line: string): void {
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${line}\n`);
  chmodSync(path.join(folder, 'bin', name), 0o755);
}

async function ask(method: string, route: string, body: object) {
  const headers = { authorization: `Bearer ${acme().tokens['admin']}`, 'content-type': 'application/json' };
  const sent = JSON.stringify({ workspace_id: acme().id, ...body });
  const answer = await fetch(service.credentials.base_url + route, { method, headers, body: sent });
  expect(answer.ok, `${route} ${answer.status}`).toBe(true);
}

/** An account with one repository and an open pull request, and the app of the workspace on it. */
async function repositoryFor(kind: 'github' | 'gitlab') {
  const own = kind === 'github' ? host.newApp('lineage') : newUser(host.state, 'lineage-bot');
  const id = 40 + host.state.installations.length;
  const permissions = { checks: 'write', contents: 'read', pull_requests: 'write', actions: 'read' };
  const account = { login: kind === 'github' ? 'acme' : 'acme/data', id, type: 'Organization' };
  host.state.installations.push({ id, appId: Number(own.app_id), account, permissions, suspendedAt: null });
  host.state.users.find(({ token }) => token === own.private_key)?.installationIds.push(id);
  const base = { ref: 'main', sha: '0'.repeat(40) };
  const pull = { number: 7, state: 'open' as const, head, branch: 'change', owner: account.login, base };
  const parts = { installationId: id, files: new Map(), branches: new Map(), checkRuns: [], artifacts: [] };
  const repository: HostRepository = { owner: account.login, name: 'shop', pulls: new Map([[7, pull]]), ...parts };
  host.state.repositories.push(repository);
  const urls = { codehost_base_url: host.url, ...(kind === 'github' && { api_base_url: host.url }) };
  await ask('PUT', '/v1/codehost/app-configs', { ...own, ...urls });
  await ask('POST', '/v1/codehost/installations', { installation_id: String(id) });
  return { repository, installation: id, key: own.private_key };
}

type Shell = { readonly code: number | null; readonly said: string };

/** Runs the steps as their CI does: until one fails. */
async function runBlock(
  block: Block,
  values: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<Shell> {
  const defaults = Object.fromEntries(Object.entries(block.inputs).map(([name, input]) => [name, input.default ?? '']));
  for (const name of Object.keys({ ...block.chosen, ...values })) expect(Object.keys(block.inputs)).toContain(name);
  let said = '';
  for (const { run, env: own } of block.steps) {
    const inputs = Object.entries(own).map(([name, value]) => [
      name,
      filled(value, { ...defaults, ...block.chosen, ...values }),
    ]);
    const PATH = `${path.join(folder, 'bin')}:${process.env['PATH']}`;
    const options = { cwd: folder, env: { ...env, ...Object.fromEntries(inputs), PATH, XDG_CONFIG_HOME: folder } };
    const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(run, values)], options);
    const [output, messages, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise<number | null>((resolve) => shell.once('close', resolve)),
    ]);
    said += output + messages;
    if (code !== 0) return { code, said };
  }
  return { code: 0, said };
}

async function until<T>(found: () => T | undefined): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await after(100)) {
    const one = found();
    if (one !== undefined) return one;
  }
  throw new Error('It did not happen within a minute.');
}

const pick = (values: Readonly<Record<string, string>>, name: string) => ({ [name]: values[name] ?? '' });

const block = { github: gitHubBlock, gitlab: gitLabBlock };

/** What the CI of each host gives its jobs. */
async function surroundings(kind: 'github' | 'gitlab') {
  const { repository, installation, key } = await repositoryFor(kind);
  const values = { url: service.credentials.base_url, dir: 'project', workspace: 'acme', connector: 'warehouse' };
  const token = acme().tokens['editor'] ?? '';
  if (kind === 'gitlab') {
    const ci = { GITLAB_CI: 'true', CI_API_V4_URL: `${host.url}/api/v4`, CI_COMMIT_SHA: head };
    const request = { CI_MERGE_REQUEST_IID: '7', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/data/shop' };
    return { repository, values, env: { ...ci, ...request, TRIBUTARY_TOKEN: token, GITLAB_TOKEN: key } };
  }
  const event = path.join(folder, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7, head: { sha: head } } }));
  const files = { GITHUB_OUTPUT: path.join(folder, 'output'), GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md') };
  const ci = {
    GITHUB_API_URL: host.url,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_PATH: event,
    RUNNER_TEMP: folder,
  };
  const workflow = newToken(host.state, { installationId: installation, sees: [] });
  return { repository, values: { ...values, token, 'github-token': workflow }, env: { ...ci, ...files } };
}

describe.each(['github', 'gitlab'] as const)('the building block for the CI of %s', (kind) => {
  let scene: Awaited<ReturnType<typeof surroundings>>;
  beforeAll(async () => {
    scene = await surroundings(kind);
  });
  const comments = () =>
    host.state.notes.filter(
      (one) => one.repository === scene.repository && one.body.startsWith('<!-- tributary lineage -->'),
    );

  it('installs the package of the scope that package.json names, and describes every input', async () => {
    const { scope } = v.parse(
      v.object({ tributary: v.object({ scope: v.string() }) }),
      JSON.parse(read('package.json')),
    ).tributary;
    expect(block[kind]('service').inputs['package']?.default).toBe(`${scope}/cli`);
  });

  it('comments, has the app check the commit, and fails if something breaks (C-CODEHOST-9, C-CODEHOST-19)', async () => {
    const { code, said } = await runBlock(block[kind]('service'), scene.values, scene.env);
    expect([code, said]).toEqual([1, expect.any(String)]);
    expect(readFileSync(path.join(folder, 'installed'), 'utf8')).toMatch(/^install --global @\S+\/cli$/m);
    expect(comments()).toHaveLength(1);
    expect(comments()[0]?.body).toContain('| breaking | removed | `crm.core.orders` · `gross` |');
    const title = await until(() =>
      kind === 'github'
        ? (scene.repository.checkRuns.find(({ status }) => status === 'completed')?.output.title ?? undefined)
        : (host.state.statuses.find((one) => one.repository === scene.repository)?.description ?? undefined),
    );
    expect(title).toContain('1 relation breaks');
    if (kind === 'gitlab') return;
    expect(readFileSync(path.join(folder, 'output'), 'utf8')).toMatch(
      /^exit-code=1\nreport=.*tributary-lineage\.md\n$/,
    );
    expect(readFileSync(path.join(folder, 'summary.md'), 'utf8')).toContain('`crm.core.orders` · `gross`');
  });

  it('updates its comment, and not another’s that looks like it (C-CODEHOST-19)', async () => {
    const [{ repository }, marker] = [scene, '<!-- tributary lineage -->'];
    const forged = {
      id: 80_000,
      repository,
      number: 7,
      body: `${marker}\nAll is well.`,
      author: { id: 9, login: 'mallory' },
    };
    host.state.notes.unshift(forged);
    const { code, said } = await runBlock(block[kind]('service'), { ...scene.values, 'fail-on': 'none' }, scene.env);
    expect([code, said]).toEqual([0, expect.any(String)]);
    expect(comments()).toHaveLength(2);
    expect(forged.body).toBe(`${marker}\nAll is well.`);
  });

  it('compares files without a service, and updates its earlier comment (C-FILES-2)', async () => {
    mkdirSync(path.join(folder, 'base'), { recursive: true });
    writeFileSync(path.join(folder, 'base', 'manifest.json'), JSON.stringify(shop));
    const { TRIBUTARY_TOKEN: _, ...env } = { TRIBUTARY_TOKEN: '', ...scene.env };
    const values = { dir: 'project', ...('github-token' in scene.values && pick(scene.values, 'github-token')) };
    const before = comments().length;
    for (const _ of [1, 2]) {
      const { code, said } = await runBlock(block[kind]('files'), values, env);
      expect([code, said]).toEqual([1, expect.any(String)]);
    }
    expect(comments()).toHaveLength(before);
    const [body = ''] = comments().flatMap((one) => (one.body.includes('Only the files') ? [one.body] : []));
    expect(body).toContain('`crm.core.orders` · `gross`');
  });

  it('adds the knowledge of the service to files if both are given (C-FILES-5)', async () => {
    const { dir, ...service } = scene.values;
    const both = { ...service, dir, base: 'base', upload: 'false' };
    const { code, said } = await runBlock(block[kind]('service'), both, scene.env);
    expect([code, said]).toEqual([1, expect.any(String)]);
    const [body = ''] = comments().flatMap((one) =>
      one.body.includes('`crm.core.orders` · `gross`') ? [one.body] : [],
    );
    expect(body).not.toMatch(/Only the files|was not asked/);
  });

  it('writes nothing if the comparison fails, and says why', async () => {
    const before = comments().map(({ body }) => body);
    const { code, said } = await runBlock(block[kind]('service'), { ...scene.values, dir: 'nowhere' }, scene.env);
    expect([code, said]).toEqual([2, expect.stringContaining('nowhere')]);
    expect(comments().map(({ body }) => body)).toEqual(before);
    expect(existsSync(path.join(folder, 'nowhere'))).toBe(false);
  });

  it('turns lines that would be commands of the host into text, and refuses an empty report (C-CODEHOST-19)', async () => {
    const env =
      kind === 'github' ? { ...scene.env, GITHUB_TOKEN: scene.values['github-token' as 'url'] ?? '' } : scene.env;
    writeFileSync(path.join(folder, 'hostile.md'), '# Report\n/close\n  /merge\nfine\r/approve\n');
    const own = ['comment', 'hostile.md', '--name', 'hostile'];
    expect(await commandLine(own, { folder, env })).toMatchObject({ code: 0 });
    const note = host.state.notes.find(({ body }) => body.startsWith('<!-- tributary hostile -->'));
    expect(note?.body).toContain('# Report\n\\/close\n  \\/merge\nfine\n\\/approve');
    writeFileSync(path.join(folder, 'empty.md'), '\n');
    expect(await commandLine(['comment', 'empty.md'], { folder, env })).toMatchObject({ code: 2 });
    const unknown = { ...env, GITHUB_TOKEN: 'unknown', GITLAB_TOKEN: 'unknown' };
    const messages = expect.stringContaining('It does not know the token.');
    expect(await commandLine(own, { folder, env: unknown })).toMatchObject({ code: 4, messages });
    const { GITHUB_TOKEN: _, GITLAB_TOKEN: __, ...without } = { GITHUB_TOKEN: '', GITLAB_TOKEN: '', ...env };
    expect((await commandLine(own, { folder, env: without })).messages).toContain('_TOKEN is not set');
  });
});
