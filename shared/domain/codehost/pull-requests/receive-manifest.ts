import type { PostManifest } from '../../../contract/codehost-checks.ts';
import { ConnectorId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { gathered, inflate, inflated, isCorrupt } from '../../base/body.ts';
import { isJsonObject, memberText, readJson } from '../../base/json/read-json.ts';
import { findUpload, readUpload } from '../../lineage/ingest/uploads/read-upload.ts';
import type { UploadPorts } from '../../lineage/ingest/uploads/upload.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { hasRepository } from '../installations.ts';
import { type CodehostPorts, type CodehostQueue, sendCheck } from '../ports.ts';
import type { CommitManifest, ManifestStore } from './ports.ts';

export type ReceiveManifestPorts = Pick<CodehostPorts, 'registry' | 'clock'> &
  Pick<UploadPorts, 'uploads' | 'place'> & {
    readonly manifests: Pick<ManifestStore, 'put'>;
    readonly codehostQueue: CodehostQueue;
    readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  };

/** The body as it was received. */
type Sent = { readonly bytes: Uint8Array; readonly contentEncoding: 'gzip' | null };
type ManifestRequest = Sent & { readonly workspace: WorkspaceId; readonly body: PostManifest };

/**
 * Keeps the manifest of a commit, and asks for a check of its pull request by each installation of the repository's account.
 * Throws `not_found` of a connector or an upload, `conflict` of bytes that were not put, `validation_error`.
 */
export async function receiveManifest(ports: ReceiveManifestPorts, { workspace, body, ...sent }: ManifestRequest) {
  const { repository, commit_sha, pull_request, project_id } = body;
  const connector = idOrNull(ConnectorId, body.connector_id);
  const found = (await ports.connectorsOf(workspace)).find(({ id }) => id === connector);
  if (!found) throw new Problem('not_found');
  const manifest: CommitManifest = {
    workspace_id: workspace,
    repository,
    commit_sha,
    connector_id: found.id,
    project_id,
    received_at: ports.clock.now().toISOString(),
  };
  await ports.manifests.put(manifest, await bytesOf(ports, workspace, body.upload_id, sent));
  await askForChecks(ports, manifest, pull_request);
  const { connector_id, received_at } = manifest;
  return { workspace_id: workspace, connector_id, repository, commit_sha, pull_request, received_at };
}

async function bytesOf(
  ports: ReceiveManifestPorts,
  workspace: WorkspaceId,
  uploadId: string | undefined,
  { bytes: body, contentEncoding }: Sent,
): Promise<Uint8Array> {
  if (uploadId === undefined)
    return manifestIn(contentEncoding === 'gzip' ? inflate(body, limits.declared.bodyBytes) : body);
  const upload = await findUpload(ports, workspace, uploadId, ports.clock.now());
  const bytes = await readUpload(ports, upload, (chunks) =>
    gathered(upload.content_encoding === 'gzip' ? inflated(chunks) : chunks),
  ).catch((error) => {
    throw isCorrupt(error) ? noManifest() : error;
  });
  const value = readJson(bytes).value;
  if (!isJsonObject(value)) throw noManifest();
  // The body of a push holds it beside other fields.
  return isJsonObject(value['manifest']) ? manifestIn(bytes) : bytes;
}

/** The manifest in a body, as it was sent: a double would change numbers. */
const manifestIn = (body: Uint8Array): Uint8Array =>
  Buffer.from(memberText(Buffer.from(body).toString(), 'manifest') ?? '');

const noManifest = () =>
  new Problem('validation_error', { errors: [{ path: '/upload_id', message: 'must be of a JSON object' }] });

async function askForChecks(
  ports: ReceiveManifestPorts,
  { workspace_id, repository }: CommitManifest,
  number: number,
): Promise<void> {
  for (const one of await ports.registry.installations.list(workspace_id)) {
    if (one.status !== 'active' || !hasRepository(one, repository)) continue;
    const { config_id, installation_id } = one;
    await sendCheck(ports.codehostQueue, { workspace_id, config_id, installation_id, repository, number });
  }
}
