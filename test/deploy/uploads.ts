import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { SeededWorkspace } from '../../local/credentials.ts';
import { UploadTicket } from '../../shared/contract/uploads.ts';

type Post = (place: string, body: unknown, token?: string) => Promise<{ status: number; json: unknown }>;

const node = (name: string, on: readonly string[]) => ({
  resource_type: 'model',
  database: 'shop',
  schema: 'main',
  alias: name,
  depends_on: { nodes: on.map((one) => `model.${one}`) },
});

/** Sends a manifest of 12 MiB by an upload, after bytes of another content and of another length. */
export async function uploadManifest(post: Post, { id, connectors, tokens }: SeededWorkspace) {
  const token = tokens['editor'];
  const manifest = {
    metadata: { adapter_type: 'duckdb' },
    nodes: { 'model.a': node('a', []), 'model.b': node('b', ['a']) },
    docs: 'x'.repeat(12 * 1024 * 1024),
  };
  const bytes = Buffer.from(JSON.stringify({ workspace_id: id, connector_id: connectors['duck']?.id, manifest }));
  const announced = {
    workspace_id: id,
    kind: 'dbt_manifest',
    content_length: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  const ticket = v.parse(UploadTicket, (await post('/v1/uploads', announced, token)).json);
  const other = await put(ticket, Buffer.from(bytes).fill(' ', 5, 6));
  const stored = await put(ticket, bytes);
  const { status, json } = await post(`/v1/uploads/${ticket.upload_id}/complete`, { workspace_id: id }, token);
  return { other, stored, status, json };
}

const put = async ({ url, headers }: UploadTicket, body: Buffer): Promise<number> =>
  (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
