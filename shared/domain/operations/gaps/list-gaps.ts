import * as v from 'valibot';
import type { GapPage } from '../../../contract/gaps.ts';
import { idOrNull, ProviderInstanceId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { GapStatus } from '../../../contract/vocabulary.ts';
import { type BoundList, readCursor, writeCursor } from '../../paging/cursor.ts';
import type { ProviderStore } from '../../providers/ports.ts';
import type { GapStore } from './ports.ts';

type ListRequest = {
  readonly status: GapStatus | null;
  /** Any text: a type that nobody reports has no gaps. */
  readonly gapType: string | null;
  readonly limit: number;
  readonly cursor: string | null;
};

export type ProviderFinder = Pick<ProviderStore, 'get'>;

/** The id of a provider that the workspace has. Throws `not_found`. */
export async function requireProvider(
  { providers }: { readonly providers: ProviderFinder },
  workspace: WorkspaceId,
  text: string,
): Promise<ProviderInstanceId> {
  const id = idOrNull(ProviderInstanceId, text.toLowerCase());
  const found = id && (await providers.get(workspace, id));
  if (!found) throw new Problem('not_found');
  return found.provider.id;
}

/** A page of a provider's gaps, newest first: C-GAP-6. */
export async function listGaps(
  ports: { readonly gaps: Pick<GapStore, 'list'> },
  workspace: WorkspaceId,
  provider: ProviderInstanceId,
  { cursor, ...page }: ListRequest,
): Promise<GapPage> {
  const listing: BoundList = ['gaps', workspace, provider, page.status, page.gapType];
  const before = readCursor(listing, v.pipe(v.string(), v.uuid()), cursor);
  // One more than asked for tells whether there is a next page.
  const found = await ports.gaps.list(workspace, provider, { ...page, before, limit: page.limit + 1 });
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  return {
    workspace_id: workspace,
    provider_instance_id: provider,
    items: [...items],
    next_cursor: found.length > page.limit && last ? writeCursor(listing, last.id) : null,
  };
}
