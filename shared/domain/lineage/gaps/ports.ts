import type { Gap } from '../../../contract/gaps.ts';
import type { GapId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { Notification } from '../../../contract/messages.ts';
import type { GapStatus } from '../../../contract/vocabulary.ts';
import type { SnapshotStatus } from '../projection/snapshot-status.ts';

type CurrentGaps = {
  readonly gaps: readonly Gap[];
  /** Raised by each write; 0 if there was none. */
  readonly revision: number;
};

export type GapWrite = {
  /** The revision that was read. */
  readonly after: number;
  readonly current: readonly Gap[];
  readonly changed: readonly Gap[];
  /** Those of the changed ones that were not there. */
  readonly opened: readonly Gap[];
};

export type GapStore = {
  /** The current gaps of a provider and the states of its snapshots. Read consistently. */
  readonly current: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
  ) => Promise<CurrentGaps & { readonly snapshots: readonly SnapshotStatus[] }>;
  /** Stores the gaps, their count and the announcement in one transaction; false if another write came first. */
  readonly commit: (
    workspace: WorkspaceId,
    provider: ProviderInstanceId,
    review: GapWrite,
    notifications?: readonly Notification[],
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
