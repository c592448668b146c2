import type { WorkspaceId } from '../contract/ids.ts';
import type { Clock } from '../domain/base/time/timestamp.ts';
import type { AuthenticationPorts } from '../domain/workspaces/access/authenticate.ts';
import type { MembershipReader } from '../domain/workspaces/access/authorize.ts';

/** What the checks before an implementation need. */
export type HttpPorts = AuthenticationPorts & {
  readonly clock: Clock;
  readonly membership: MembershipReader;
  /** Takes one request from the workspace's bucket; seconds to wait where it is empty, else null. */
  readonly rateGuard: (workspace: WorkspaceId, now: number) => Promise<number | null>;
};
