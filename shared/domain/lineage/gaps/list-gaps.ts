import * as v from 'valibot';
import type { Gap, GapPage } from '../../../contract/gaps.ts';
import { GapId, idOf, ProviderInstanceId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { GapStatus } from '../../../contract/vocabulary.ts';
import { jsonDigest } from '../../base/digest.ts';
import { type BoundList, foreignCursor } from '../../base/paging/cursor.ts';
import type { ProviderStore } from '../providers/provider.ts';
import type { GapStore } from './ports.ts';

type ListRequest = {
  readonly status: GapStatus | null;
  /** Any text: a type that nobody reports has no gaps. */
  readonly gapType: string | null;
  readonly limit: number;
  readonly cursor: string | null;
};

export type ProviderFinder = Pick<ProviderStore, 'get'>;

export async function requireProvider(
  { providers }: { readonly providers: ProviderFinder },
  workspace: WorkspaceId,
  text: string,
): Promise<ProviderInstanceId> {
  const found = await providers.get(workspace, idOf(ProviderInstanceId, text.toLowerCase()));
  if (!found) throw new Problem('not_found');
  return found.provider.id;
}

/** A page of a provider's gaps, newest first: C-GAP-6. */
export async function listGaps(
  { gaps }: { readonly gaps: Pick<GapStore, 'get' | 'list'> },
  workspace: WorkspaceId,
  provider: ProviderInstanceId,
  { cursor, ...page }: ListRequest,
): Promise<GapPage> {
  const listing: BoundList = ['gaps', workspace, provider, page.status, page.gapType];
  const before = cursor === null ? null : uuidUnder(listing, cursor);
  if (before !== null && !(await gaps.get(workspace, provider, before))) throw foreignCursor();
  // One more than asked for tells whether there is a next page.
  const found = await gaps.list(workspace, provider, { ...page, before, limit: page.limit + 1 });
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  return {
    workspace_id: workspace,
    provider_instance_id: provider,
    items: [...items],
    next_cursor: found.length > page.limit && last ? uuidUnder(listing, last.id) : null,
  };
}

/** The specification wants UUIDs as cursors, so the id's bits are mixed with a digest of the listing (C-READ-3). */
function uuidUnder(listing: BoundList, uuid: string): GapId {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const mask = jsonDigest(listing);
  for (const [i, byte] of bytes.entries()) {
    const keep = i === 6 ? 0xf0 : i === 8 ? 0xc0 : 0;
    bytes[i] = byte ^ ((mask[i] ?? 0) & ~keep);
  }
  return v.parse(GapId, bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
}

/** Scans and other administrators may write at the same moment; each round one of them comes through. */
const maxAttempts = 20;

type GapRef = { readonly workspace: WorkspaceId; readonly provider: ProviderInstanceId; readonly gapId: string };

/** Ignores a gap, or opens it again (C-GAP-5). Throws `not_found`, and `conflict` for a resolved gap. */
export async function setGapStatus(
  { gaps }: { readonly gaps: GapStore },
  { workspace, provider, gapId }: GapRef,
  status: 'open' | 'ignored',
): Promise<Gap> {
  const id = idOf(GapId, gapId.toLowerCase());
  for (let round = 0; round < maxAttempts; round++) {
    const { gaps: current, revision } = await gaps.current(workspace, provider);
    const found = current.find((gap) => gap.id === id);
    if (!found) throw new Problem((await gaps.get(workspace, provider, id)) ? 'conflict' : 'not_found');
    if (found.status === status) return found;
    const changed = { ...found, status };
    const next = current.map((gap) => (gap.id === id ? changed : gap));
    if (await gaps.commit(workspace, provider, { after: revision, current: next, changed: [changed], opened: [] }))
      return changed;
  }
  throw new Problem('unavailable');
}
