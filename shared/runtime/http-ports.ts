import type { UserId, WorkspaceId } from '../contract/ids.ts';
import type { Clock } from '../domain/base/time/timestamp.ts';
import type { AuthenticationPorts } from '../domain/workspaces/access/authenticate.ts';
import type { MembershipReader } from '../domain/workspaces/access/authorize.ts';
import type { AuditEntry } from '../domain/workspaces/access/records.ts';

export type Reader = { readonly workspace: WorkspaceId; readonly caller: UserId };

export type HttpPorts = AuthenticationPorts & {
  readonly clock: Clock;
  readonly membership: MembershipReader;
  /** Writes an entry of the audit log; one of the same time and id is the same. */
  readonly audit: (entry: AuditEntry) => Promise<void>;
  /** Takes one request from the workspace's bucket; seconds to wait where it is empty, else null. */
  readonly rateGuard: (workspace: WorkspaceId) => Promise<number | null>;
  readonly readUnits: {
    /** Seconds to wait if the workspace or the caller has read more than its share, else null. */
    readonly wait: (reader: Reader, now: number) => number | null;
    /** Does the work, and takes the read units that it needed from the shares of both. */
    readonly counted: <Reply extends { readonly bytes?: unknown }>(
      reader: Reader,
      now: number,
      work: () => Promise<Reply>,
    ) => Promise<Reply>;
  };
};
