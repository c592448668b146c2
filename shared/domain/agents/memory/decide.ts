import type { ApproveMemory, MemoryCandidate } from '../../../contract/agent-memory.ts';
import type { UserId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import { newestFirst, type PageRequest } from '../../base/paging/cursor.ts';
import { idFromName, type Operator, updateRecord } from '../../workspaces/access/operator.ts';
import type { Registry } from '../../workspaces/access/records.ts';

type Reviewer = { readonly workspace: WorkspaceId; readonly userId: UserId; readonly role: Role };

const dayMs = 86_400_000;
/** A memory is to be looked at again after so long. */
const reviewAfterDays = 180;

/** Takes a candidate into memory as it was edited; what it contradicts of the same target is superseded with it. */
export function approveCandidate(
  ports: Operator,
  reviewer: Reviewer,
  id: string,
  edits: ApproveMemory,
): Promise<MemoryCandidate> {
  const { memory } = ports.registry;
  return updateRecord(ports, memory, { workspace_id: reviewer.workspace, id }, async (candidate) => {
    const earlier = await contradictedBy(ports, reviewer, edited(candidate, edits));
    requireDecidable(candidate, reviewer);
    const now = ports.clock.now();
    const record: MemoryCandidate = {
      ...edited(candidate, edits),
      // What a reviewer makes personal is the reviewer's own: its author would be the only one to see it otherwise.
      ...(edits.scope === 'personal' && candidate.scope !== 'personal' && { created_by: reviewer.userId }),
      ...reviewed(ports, reviewer, 'approved'),
      approved_memory_id: idFromName('mem', reviewer.workspace, id),
      supersedes_memory_id: earlier[0]?.record.approved_memory_id ?? null,
      review_after: new Date(now.getTime() + reviewAfterDays * dayMs).toISOString(),
    };
    const also = earlier.map((one) => memory.replace(one, { ...one.record, status: 'superseded' }));
    return { record, also, ...auditOf('memory.approve', record) };
  });
}

/** Turns a candidate down. Throws `not_found`, and `conflict` where it is decided already. */
export function rejectCandidate(
  ports: Operator,
  reviewer: Reviewer,
  id: string,
  status: 'rejected' | 'dismissed',
): Promise<MemoryCandidate> {
  return updateRecord(ports, ports.registry.memory, { workspace_id: reviewer.workspace, id }, (candidate) => {
    requireDecidable(candidate, reviewer);
    const record = { ...candidate, ...reviewed(ports, reviewer, status) };
    return { record, ...auditOf(`memory.${status}`, record) };
  });
}

/** Ends a memory, by its own id. Throws `not_found`, and `conflict` where it has ended. */
export async function supersedeMemory(ports: Operator, reviewer: Reviewer, id: string): Promise<MemoryCandidate> {
  const { memory } = ports.registry;
  const all = await memory.list(reviewer.workspace);
  const known = all.find(({ approved_memory_id }) => approved_memory_id === id);
  if (!known) throw new Problem('not_found');
  return updateRecord(ports, memory, { workspace_id: reviewer.workspace, id: known.id }, (candidate) => {
    requireVisible(candidate, reviewer);
    if (candidate.status !== 'approved')
      throw new Problem('conflict', { message: 'The memory is already superseded.' });
    const record: MemoryCandidate = { ...candidate, status: 'superseded' };
    return { record, ...auditOf('memory.supersede', record) };
  });
}

function edited(candidate: MemoryCandidate, edits: ApproveMemory): MemoryCandidate {
  const provided = Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== null));
  return { ...candidate, ...provided };
}

const reviewed = (ports: Operator, { userId }: Reviewer, status: MemoryCandidate['status']) => ({
  status,
  reviewed_at: ports.clock.now().toISOString(),
  reviewed_by: userId,
});

/** What says what a thing is: two of a kind about one target cannot both hold. */
const assertions: readonly MemoryCandidate['memory_type'][] = ['correction', 'definition', 'semantic_correction'];

/** Approved memories of the same kind, scope and target that say something else, newest first. */
async function contradictedBy({ registry }: Operator, { workspace }: Reviewer, next: MemoryCandidate) {
  if (next.target_key === null || !assertions.includes(next.memory_type)) return [];
  const all = await registry.memory.list(workspace);
  const same = all.filter(
    (one) =>
      one.status === 'approved' &&
      one.id !== next.id &&
      one.target_key === next.target_key &&
      one.target_type === next.target_type &&
      one.memory_type === next.memory_type &&
      audienceOf(one.scope) === audienceOf(next.scope) &&
      (one.scope !== 'personal' || one.created_by === next.created_by),
  );
  const newest = same
    .toSorted((a, b) => ((a.reviewed_at ?? '') < (b.reviewed_at ?? '') ? 1 : -1))
    .slice(0, maxSuperseded);
  const found = await Promise.all(newest.map(({ id }) => registry.memory.find({ workspace_id: workspace, id })));
  return found.filter((one) => one !== null);
}

/** More do not fit one write, and a target has one such memory at a time. */
const maxSuperseded = 20;

function requireDecidable(candidate: MemoryCandidate, reviewer: Reviewer): void {
  requireVisible(candidate, reviewer);
  if (candidate.status !== 'pending')
    throw new Problem('conflict', { message: 'The candidate has already been decided.' });
}

/** Personal memories are only visible to their author and to admins. */
function requireVisible({ scope, created_by }: MemoryCandidate, { userId, role }: Reviewer): void {
  if (scope === 'personal' && created_by !== userId && role !== 'admin') throw new Problem('not_found');
}

const auditOf = (action: string, { workspace_id, id, target_key }: MemoryCandidate) => ({
  auditAction: { workspace_id: workspace_id as WorkspaceId, action, subject: { id, target_key } },
});

type Viewer = { readonly workspace: WorkspaceId; readonly userId: UserId };
type MemoryFilter = {
  readonly status: string | null;
  readonly scope: MemoryCandidate['scope'] | null;
  readonly targetType: string | null;
  readonly targetKey: string | null;
  /** Every word of it is in a memory. */
  readonly q: string | null;
};

export async function findMemory(
  { memory }: Pick<Registry, 'memory'>,
  { workspace, userId }: Viewer,
  filter: MemoryFilter,
  page: PageRequest,
): Promise<{ workspace_id: string; items: MemoryCandidate[]; next_cursor: string | null }> {
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const all = await memory.list(workspace);
  const found = all.filter(
    (one) =>
      (one.scope !== 'personal' || one.created_by === userId) &&
      is(filter.status, one.status) &&
      is(filter.scope && audienceOf(filter.scope), audienceOf(one.scope)) &&
      is(filter.targetType, one.target_type) &&
      is(filter.targetKey?.toLowerCase() ?? null, one.target_key?.toLowerCase() ?? null) &&
      words.every((word) => textOf(one).includes(word)),
  );
  const list = ['memory', workspace, userId, filter] as const;
  return { workspace_id: workspace, ...newestFirst(found, (one) => [one.created_at, one.id], { ...page, list }) };
}

/** A deployment has no teams: what is a team's is the workspace's (C-MEMORY-4). */
const audienceOf = (scope: MemoryCandidate['scope']): MemoryCandidate['scope'] =>
  scope === 'team' ? 'workspace' : scope;

const is = (requested: string | null, value: string | null): boolean => requested === null || requested === value;

const textOf = ({ title, content, tags, target_key }: MemoryCandidate): string =>
  [title, content, ...tags, target_key ?? ''].join(' ').toLowerCase();
