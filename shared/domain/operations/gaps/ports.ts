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
  /** The current gaps of a provider and the states of its snapshots. Read consistently. */
  readonly current: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
  ) => Promise<CurrentGaps & { readonly snapshots: readonly SnapshotStatus[] }>;
  /**
   * Stores the gaps that changed, the current ones and the count of open ones in one transaction; false where
   * another write came first.
   */
  readonly commit: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    review: { readonly after: number; readonly current: readonly Gap[]; readonly changed: readonly Gap[] },
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
