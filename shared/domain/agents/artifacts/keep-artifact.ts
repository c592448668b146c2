import type { AgentArtifact, ArtifactStatus, CreateArtifact } from '../../../contract/agent-artifacts.ts';
import type { UserId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { sha256 } from '../../base/digest.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { type AuditEntry, type Author, auditEntry, randomId } from '../../workspaces/access/records.ts';
import type { ArtifactChange, ArtifactStore, ContentStore, StoredArtifact } from './artifact.ts';

export type ArtifactPorts = {
  readonly artifacts: ArtifactStore;
  readonly contents: ContentStore;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

const maxAttempts = 8;

export async function createArtifact(
  ports: ArtifactPorts,
  { workspace, userId }: Author,
  { content, ...request }: CreateArtifact,
): Promise<AgentArtifact> {
  const stored = await keepContent(ports, workspace, content);
  const at = ports.clock.now().toISOString();
  const id = `art_${randomId(ports)}`;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { head, parent } = await acceptedOf(ports, workspace, request.path);
    const artifact: StoredArtifact = {
      ...request,
      workspace_id: workspace,
      id,
      ...stored,
      created_by: userId,
      created_at: at,
      updated_at: at,
      ...chainedTo(parent?.record ?? null),
    };
    const audit = auditOf(ports, userId, 'artifact.create', artifact);
    const accepted = artifact.status === 'accepted';
    const change: ArtifactChange = {
      artifact,
      before: null,
      superseded: accepted ? parent : null,
      head: accepted ? headOf(head, artifact) : null,
      audit,
    };
    if (await ports.artifacts.commit(workspace, change)) return { ...viewOf(artifact), content };
  }
  throw new Problem('conflict');
}

/** Content that is long is stored before its artifact: an artifact must never point at nothing. */
async function keepContent({ contents }: ArtifactPorts, workspace: WorkspaceId, content: string) {
  const content_bytes = Buffer.byteLength(content);
  const content_digest = sha256(content).toString('hex');
  const isLong = content_bytes > limits.agentArtifact.inlineBytes;
  if (isLong) await contents.put(workspace, content_digest, content);
  return { content: isLong ? null : content, content_digest, content_bytes };
}

const allowed: Readonly<Record<ArtifactStatus, readonly ArtifactStatus[]>> = {
  proposed: ['accepted', 'rejected'],
  accepted: ['superseded'],
  rejected: [],
  superseded: [],
};

export async function setArtifactStatus(
  ports: ArtifactPorts,
  { workspace, userId }: Author,
  id: string,
  status: ArtifactStatus,
): Promise<AgentArtifact> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await requireArtifact(ports.artifacts, workspace, id);
    if (!allowed[before.record.status].includes(status)) {
      throw new Problem('conflict', {
        message: `An artifact that is ${before.record.status} cannot become ${status}.`,
      });
    }
    const change = await changeTo(ports, { workspace, userId }, before, status);
    if (await ports.artifacts.commit(workspace, change)) return showArtifact(ports, change.artifact);
  }
  throw new Problem('conflict');
}

async function changeTo(
  ports: ArtifactPorts,
  { workspace, userId }: Author,
  before: NonNullable<ArtifactChange['before']>,
  status: ArtifactStatus,
): Promise<ArtifactChange> {
  const updated = { ...before.record, status, updated_at: ports.clock.now().toISOString() };
  const audit = auditOf(ports, userId, `artifact.${status}`, updated);
  if (status === 'rejected') return { artifact: updated, before, superseded: null, head: null, audit };
  const { head, parent } = await acceptedOf(ports, workspace, updated.path);
  if (status === 'superseded') {
    return { artifact: updated, before, superseded: null, head: headOf(head, null, updated.path), audit };
  }
  // Another version may have been accepted since it was proposed: it follows that one.
  const artifact = { ...updated, ...chainedTo(parent?.record ?? null) };
  return { artifact, before, superseded: parent, head: headOf(head, artifact), audit };
}

export async function requireArtifact(artifacts: Pick<ArtifactStore, 'find'>, workspace: WorkspaceId, id: string) {
  const found = /^[A-Za-z0-9_-]{1,64}$/.test(id) ? await artifacts.find(workspace, id) : null;
  if (found === null) throw new Problem('not_found');
  return found;
}

export async function showArtifact(
  { contents }: Pick<ArtifactPorts, 'contents'>,
  artifact: StoredArtifact,
): Promise<AgentArtifact> {
  const { content, content_digest, workspace_id } = artifact;
  return { ...viewOf(artifact), content: content ?? (await contents.get(workspace_id as WorkspaceId, content_digest)) };
}

function viewOf(artifact: StoredArtifact): Omit<AgentArtifact, 'content'> {
  const { content: _, content_digest: __, content_bytes: ___, created_by: ____, ...view } = artifact;
  return view;
}

async function acceptedOf({ artifacts }: ArtifactPorts, workspace: WorkspaceId, path: string) {
  const head = await artifacts.head(workspace, path);
  const accepted = head?.record.accepted ?? null;
  return { head, parent: accepted && (await artifacts.find(workspace, accepted.id)) };
}

const chainedTo = (parent: StoredArtifact | null) => ({
  parent_artifact_id: parent?.id ?? null,
  version: (parent?.version ?? 0) + 1,
});

const headOf = (
  before: NonNullable<ArtifactChange['head']>['before'],
  accepted: StoredArtifact | null,
  path = accepted?.path ?? '',
): NonNullable<ArtifactChange['head']> => ({
  before,
  next: { path, accepted: accepted && { id: accepted.id, version: accepted.version } },
});

const auditOf = (
  ports: ArtifactPorts,
  actor: UserId,
  action: string,
  { workspace_id, id, path, version }: StoredArtifact,
): AuditEntry =>
  auditEntry(ports, actor, { workspace_id: workspace_id as WorkspaceId, action, subject: { id, path, version } });
