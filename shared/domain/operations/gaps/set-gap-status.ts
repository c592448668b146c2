import type { Gap } from '../../../contract/gaps.ts';
import { GapId, idOrNull, type ProviderInstanceId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { GapStore } from './ports.ts';

/** Scans and other administrators may write at the same moment; each round one of them comes through. */
const maxAttempts = 20;

type GapRef = { readonly workspace: WorkspaceId; readonly provider: ProviderInstanceId; readonly gapId: string };

/**
 * Ignores a gap, or opens it again: C-GAP-5. A gap that is over stays so. Throws `not_found`, and `conflict` for a
 * gap that is resolved.
 */
export async function setGapStatus(
  { gaps }: { readonly gaps: GapStore },
  { workspace, provider, gapId }: GapRef,
  status: 'open' | 'ignored',
): Promise<Gap> {
  const id = idOrNull(GapId, gapId.toLowerCase());
  if (id === null) throw new Problem('not_found');
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
