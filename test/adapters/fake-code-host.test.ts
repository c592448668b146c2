import { afterAll, beforeAll, expect, it } from 'vitest';
import { newToken } from '../../local/codehost/authentication.ts';
import { type FakeHost, startFakeHost } from '../../local/codehost/fake-host.ts';
import type { HostRepository } from '../../local/codehost/state.ts';

// Each answer of the local replacement of GitHub is compared with a recorded one.

let host: FakeHost;
let tokens: Readonly<Record<string, string>>;
beforeAll(async () => {
  host = await startFakeHost();
  const { state } = host;
  const app = host.newApp('lineage');
  const permissions = { checks: 'write', contents: 'read', pull_requests: 'write', actions: 'read' };
  const installation = { id: 1, appId: Number(app.app_id), account: { login: 'acme', id: 7, type: 'Organization' } };
  state.installations.push({ ...installation, permissions, suspendedAt: null });
  state.installations.push({ ...installation, id: 2, permissions: { checks: 'read' }, suspendedAt: null });
  state.installations.push({ ...installation, id: 3, permissions, suspendedAt: '2026-01-01T00:00:00Z' });
  state.repositories.push(repositoryOf(1, 'shop'), repositoryOf(2, 'closed'), repositoryOf(3, 'suspended'));
  const of = (installationId: number | null, until?: number) => newToken(state, { installationId, sees: [1] }, until);
  tokens = { app: of(1), reader: of(2), suspended: of(3), person: of(null), expired: of(1, 0), unknown: 'ghs_unknown' };
});
afterAll(() => host.stop());

function repositoryOf(installationId: number, name: string): HostRepository {
  const pull = (number: number) => ({
    ...{ number, state: number % 2 ? ('open' as const) : ('closed' as const), head: `${number}`.padStart(40, 'a') },
    ...{
      branch: `change-${number}`,
      owner: number === 3 ? 'fork' : 'acme',
      base: { ref: 'main', sha: '0'.repeat(40) },
    },
  });
  const zip = new Uint8Array([1, 2, 3]);
  const artifact = (id: number, runId: number, expired: boolean) => ({
    ...{ id, name: `manifest-${id % 2}`, runId, headSha: 'a'.repeat(40), zip, expired },
  });
  return {
    ...{ owner: 'acme', name, installationId, checkRuns: [] },
    files: new Map([
      ['c0ffee:dir/a.sql', 'select 1'],
      ['old:dir/a.sql', 'select 0'],
    ]),
    branches: new Map([['main', 'c0ffee']]),
    pulls: new Map(Array.from({ length: 66 }, (_, n) => [n + 1, pull(n + 1)])),
    artifacts: [artifact(1, 10, false), artifact(2, 10, true), artifact(3, 11, false)],
  };
}

const repository = '/repos/acme/shop';
const comments = `${repository}/issues/1/comments`;
const commit = 'b'.repeat(40);
const annotation = { path: 'a.sql', start_line: 1, end_line: 2, annotation_level: 'notice', message: 'm', title: 't' };
const many = Array.from({ length: 51 }, () => annotation);
const output = (more: object) => ({ title: 'T', summary: 'S', ...more });

/** `TOKEN METHOD PATH`, and what is sent. */
const requests: readonly (readonly [request: string, body?: object])[] = [
  ['nobody GET /user'],
  ['unknown GET /user'],
  ['expired GET /user'],
  ['person GET /user'],
  ['app GET /user'],
  ['person GET /user/installations'],
  [`app GET ${repository}/pulls/1`],
  [`app GET ${repository}/pulls/99`],
  [`app GET /repos/acme/nope/pulls/1`],
  ['person GET /repos/acme/closed/pulls/1'],
  ['reader GET /repos/acme/closed/pulls/1'],
  ['suspended GET /repos/acme/suspended/pulls/1'],
  [`app GET ${repository}/pulls`],
  [`app GET ${repository}/pulls?per_page=2`],
  [`app GET ${repository}/pulls?state=closed&per_page=1`],
  [`app GET ${repository}/pulls?head=acme:change-5`],
  [`app GET ${repository}/pulls?head=acme:change-3`],
  [`app GET ${repository}/contents/dir%2Fa.sql`],
  [`app GET ${repository}/contents/dir/a.sql?ref=old`],
  [`app GET ${repository}/contents/dir/b.sql`],
  [`app POST ${comments}`, { body: 'first' }],
  [`person POST ${comments}`, { body: 'second' }],
  [`app POST ${comments}`, { body: '' }],
  [`app POST ${comments}`, { body: 'x'.repeat(65_537) }],
  [`app POST ${repository}/issues/99/comments`, { body: 'lost' }],
  [`app PATCH ${repository}/issues/comments/1`, { body: 'changed' }],
  [`app PATCH ${repository}/issues/comments/99`, { body: 'lost' }],
  [`app GET ${comments}`],
  [`app GET ${comments}?per_page=1&page=2`],
  [`app GET ${repository}/issues/3/comments`],
  ['reader POST /repos/acme/closed/check-runs', { name: 'lineage', head_sha: commit }],
  [`app POST ${repository}/check-runs`, { name: '', head_sha: commit }],
  [`app POST ${repository}/check-runs`, { name: 'lineage', head_sha: 'short' }],
  [`app POST ${repository}/check-runs`, { name: 'lineage', head_sha: commit, status: 'in_progress' }],
  [`app POST ${repository}/check-runs`, { name: 'other', head_sha: commit, output: output({ annotations: many }) }],
  [`app POST ${repository}/check-runs`, { name: 'other', head_sha: commit, external_id: 'x', conclusion: 'success' }],
  [`app PATCH ${repository}/check-runs/1000`, { status: 'completed' }],
  [`app PATCH ${repository}/check-runs/1000`, { output: output({ text: 'more', annotations: [annotation] }) }],
  [`app PATCH ${repository}/check-runs/1000`, { conclusion: 'failure', output: output({ annotations: [annotation] }) }],
  [`app PATCH ${repository}/check-runs/999`, { status: 'queued' }],
  [`app GET ${repository}/commits/${commit}/check-runs`],
  [`app GET ${repository}/commits/${commit}/check-runs?filter=all`],
  [`app GET ${repository}/commits/${commit}/check-runs?check_name=lineage`],
  [`app GET ${repository}/commits/${commit}/check-runs?filter=all&app_id=999`],
  [`app GET ${repository}/actions/runs?head_sha=${'a'.repeat(40)}`],
  [`app GET ${repository}/actions/runs?head_sha=none`],
  [`app GET ${repository}/actions/runs/10/artifacts`],
  [`app GET ${repository}/actions/runs/10/artifacts?name=manifest-1`],
  [`app GET ${repository}/actions/artifacts/1/zip`],
  ['app GET /storage/1'],
  ['nobody GET /storage/1'],
  ['nobody GET /storage/9'],
  ['app GET /nowhere'],
];

it('answers as GitHub does', async () => {
  const texts: string[] = [];
  for (const [request, sent] of requests) {
    const [who = '', method = '', path = ''] = request.split(' ');
    const headers = tokens[who] === undefined ? {} : { authorization: `Bearer ${tokens[who]}` };
    const body = sent === undefined ? null : JSON.stringify(sent);
    const answer = await fetch(host.url + path, { method, headers, body, redirect: 'manual' });
    const place = answer.headers.get('location')?.replace(host.url, 'http://HOST') ?? '';
    texts.push(`${request}\n${answer.status} ${place}${shortened(await answer.text())}\n`);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('./__snapshots__/fake-code-host.txt');
});

/** A list stands by its numbers if it is long. */
function shortened(text: string): string {
  if (!text.startsWith('[') || text.length < 2_000) return text;
  return JSON.stringify(JSON.parse(text).map(({ number }: { number: number }) => number));
}
