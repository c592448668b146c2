import type { WorkspaceId } from '../contract/ids.ts';
import type { AuthenticationPorts } from '../domain/access/authenticate.ts';
import type { MembershipReader } from '../domain/access/authorize.ts';
import type { Clock } from '../domain/time/clock.ts';

/** What the checks before an implementation need. */
export type HttpPorts = AuthenticationPorts & {
  readonly clock: Clock;
  readonly membership: MembershipReader;
  /** Takes one request from the workspace's bucket; seconds to wait where it is empty, else null. */
  readonly rateGuard: (workspace: WorkspaceId, now: number) => Promise<number | null>;
};
