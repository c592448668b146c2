import { randomUUID } from 'node:crypto';
import { dynamodb } from '../adapters/aws.ts';
import { accessReader } from '../adapters/dynamodb/access-reader.ts';
import { oidcSessions } from '../adapters/oidc-sessions.ts';
import type { WorkspaceId } from '../contract/ids.ts';
import type { AuthenticationPorts } from '../domain/access/authenticate.ts';
import type { StandingOf } from '../domain/access/authorize.ts';
import { environment } from './environment.ts';
import { rateGuard } from './rate-guard.ts';

/** What the checks before an implementation need. */
export type HttpPorts = AuthenticationPorts & {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly standing: StandingOf;
  /** Takes one request from the workspace's bucket; seconds to wait where it is empty, else null. */
  readonly rateGuard: (workspace: WorkspaceId, now: number) => number | null;
};

/** The ports of a deployed function, from its environment. */
export function httpPorts(): HttpPorts {
  const { TABLE_NAME, OIDC_ISSUER, OIDC_AUDIENCE, OIDC_JWKS_URL, LINEAGE_RATE, LINEAGE_BURST } = environment(
    'TABLE_NAME',
    'OIDC_ISSUER',
    'OIDC_AUDIENCE',
    'OIDC_JWKS_URL',
    'LINEAGE_RATE',
    'LINEAGE_BURST',
  );
  return {
    ...accessReader({ client: dynamodb(), name: TABLE_NAME }),
    session: oidcSessions({ issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, jwksUrl: OIDC_JWKS_URL }),
    now: () => new Date(),
    newId: randomUUID,
    rateGuard: rateGuard<WorkspaceId>({ perSecond: LINEAGE_RATE, burst: LINEAGE_BURST }),
  };
}
