import type { Gap } from '../../../contract/gaps.ts';
import type { GapId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { GapStatus } from '../../../contract/vocabulary.ts';
import type { SnapshotStatus } from '../../projection/snapshot-status.ts';

/** The gaps of a provider that are not over, open or ignored: at most one of a type. */
type CurrentGaps = {
  readonly gaps: readonly Gap[];
  /** Raised by each write; 0 where there was none. */
  readonly revision: number;
};

export type GapStore = {
  /** What stands of a provider, and how its snapshots went. Read consistently. */
  readonly standing: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
  ) => Promise<CurrentGaps & { readonly snapshots: readonly SnapshotStatus[] }>;
  /**
   * Keeps the gaps that changed, what stands after them, and how many of those are open, in one step; false where
   * another write came first.
   */
  readonly commit: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    review: { readonly after: number; readonly standing: readonly Gap[]; readonly changed: readonly Gap[] },
  ) => Promise<boolean>;
  readonly get: (workspace: WorkspaceId, provider: ProviderInstanceId, id: GapId) => Promise<Gap | null>;
  /** Newest first, before an id. */
  readonly list: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    page: {
      readonly status: GapStatus | null;
      readonly gapType: string | null;
      readonly before: string | null;
      readonly limit: number;
    },
  ) => Promise<readonly Gap[]>;
};
