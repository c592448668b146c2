import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { uploadImplementations } from '../../functions/uploads/uploads.ts';
import { uploadRoutes } from '../../shared/contract/uploads.ts';
import { pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';
import { httpPorts, uploadPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { newCommit, startCheckWorld } from '../support/codehost-checks.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startCheckWorld);

/** Its numbers are written as no double writes them, and its members in an order of their own. */
const manifest =
  '{"nodes": {}, "metadata": {"adapter_type":"duckdb", "id": 9007199254740993, "n": [0.10, 1E+2, -0, 1e400]}}';

/** The bytes that are kept of a commit's manifest, sent as a body or as what was uploaded before. */
async function keptOf(form: (body: string) => { readonly body?: Uint8Array; readonly upload?: Uint8Array }) {
  const scene = await world.scene();
  const commit = newCommit();
  const of = {
    workspace_id: scene.workspace,
    connector_id: scene.connector.id,
    repository: scene.fullName,
    commit_sha: commit,
    pull_request: 1,
  };
  const token = scene.tokens.editor;
  const { body, upload } = form(`{"manifest": ${manifest},${JSON.stringify(of).slice(1)}`);
  const sent =
    upload === undefined ? body : Buffer.from(JSON.stringify({ ...of, upload_id: await uploaded(of, token, upload) }));
  const headers = { 'content-type': 'application/json', ...(sent?.[0] === 0x1f && { 'content-encoding': 'gzip' }) };
  const { status, json } = await scene.ask('POST', '/v1/codehost/manifests', { token, body: sent, headers });
  expect(status, JSON.stringify(json)).toBe(202);
  const { manifests } = pullRequestPorts();
  const found = await manifests.find(scene.workspace, scene.fullName, commit);
  return found && Buffer.from(await manifests.bytes(found)).toString();
}

async function uploaded({ workspace_id }: { readonly workspace_id: string }, token: string, bytes: Uint8Array) {
  const respond = responder(uploadRoutes, uploadImplementations(uploadPorts()), httpPorts());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const announced = { workspace_id, kind: 'dbt_manifest', content_length: bytes.byteLength, sha256 };
  const { body } = await respond(request('POST', '/v1/uploads', { token, body: announced }));
  const { url, headers, upload_id } = JSON.parse(String(body));
  expect((await fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes) })).status).toBe(200);
  return upload_id;
}

it.each([
  ['a body', (body: string) => ({ body: Buffer.from(body) })],
  ['a compressed body', (body: string) => ({ body: gzipSync(body) })],
  ['an upload of the body of a push', (body: string) => ({ upload: Buffer.from(body) })],
  ['an upload of a manifest', () => ({ upload: Buffer.from(manifest) })],
])('the manifest of a commit is kept as it was sent, digit for digit: %s (C-CODEHOST-9)', async (_, form) => {
  expect(await keptOf(form)).toBe(manifest);
});
