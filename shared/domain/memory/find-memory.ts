import type { MemoryCandidate } from '../../contract/agent-memory.ts';
import type { UserId, WorkspaceId } from '../../contract/ids.ts';
import type { Registry } from '../access/registry.ts';
import { newestFirst } from '../paging/newest-first.ts';

type Viewer = { readonly workspace: WorkspaceId; readonly userId: UserId };
type Page = { readonly limit: number; readonly cursor?: string | undefined };
type MemoryFilter = {
  readonly status: string | null;
  readonly scope: MemoryCandidate['scope'] | null;
  readonly targetType: string | null;
  readonly targetKey: string | null;
  /** Every word of it is in a memory. */
  readonly q: string | null;
};

/** A page of what the reader may see of a workspace's memory, newest first; personal ones are their author's alone. */
export async function findMemory(
  { memory }: Pick<Registry, 'memory'>,
  { workspace, userId }: Viewer,
  filter: MemoryFilter,
  page: Page,
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
export const audienceOf = (scope: MemoryCandidate['scope']): MemoryCandidate['scope'] =>
  scope === 'team' ? 'workspace' : scope;

const is = (wanted: string | null, value: string | null): boolean => wanted === null || wanted === value;

const textOf = ({ title, content, tags, target_key }: MemoryCandidate): string =>
  [title, content, ...tags, target_key ?? ''].join(' ').toLowerCase();
