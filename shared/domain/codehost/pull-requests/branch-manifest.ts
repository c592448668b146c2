import type { RepositoryChecks } from '../../../contract/codehost-checks.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { readJson } from '../../json/read-json.ts';
import type { ManifestStore, PullRequestsOfHost, RepositoryPlace } from './ports.ts';

/** A branch's manifest, and what it is compared with. */
export type BranchManifest = {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly connectorId: string;
  readonly projectId: string | undefined;
  readonly settings: Pick<RepositoryChecks, 'project_path' | 'match_by'>;
};

type Ports = { readonly manifests: Pick<ManifestStore, 'find' | 'bytes'>; readonly pullRequests: PullRequestsOfHost };
type Asked = {
  readonly workspace: WorkspaceId;
  readonly place: RepositoryPlace;
  readonly commit: string;
  readonly settings: RepositoryChecks | null;
};

const unnamed = { project_path: '', match_by: 'relation' } as const;

/**
 * The manifest of a commit: the one that was sent for it, else that of a workflow's artifact, else the file that is
 * configured. Null where there is none yet; `unreadable` where there is one and it is no JSON object.
 */
export async function branchManifest(ports: Ports, asked: Asked): Promise<BranchManifest | 'unreadable' | null> {
  const { workspace, place, commit, settings } = asked;
  const sent = await ports.manifests.find(workspace, place.repository, commit);
  if (sent) {
    const to = { connectorId: sent.connector_id, projectId: sent.project_id ?? settings?.project_id ?? null };
    return read(await ports.manifests.bytes(sent), to, settings ?? unnamed);
  }
  if (settings === null) return null;
  const found =
    (await ports.pullRequests.artifact(place, settings.artifact_name, commit)) ??
    (settings.manifest_path === null ? null : await ports.pullRequests.file(place, settings.manifest_path, commit));
  return found && read(found, { connectorId: settings.connector_id, projectId: settings.project_id }, settings);
}

function read(
  bytes: Uint8Array,
  { connectorId, projectId }: { readonly connectorId: string; readonly projectId: string | null },
  settings: BranchManifest['settings'],
): BranchManifest | 'unreadable' {
  const value = readJson(bytes).value;
  if (!isJsonObject(value)) return 'unreadable';
  const { metadata } = value;
  const named =
    isJsonObject(metadata) && typeof metadata['project_name'] === 'string' ? metadata['project_name'] : undefined;
  return { manifest: value, connectorId, projectId: projectId ?? named, settings };
}
