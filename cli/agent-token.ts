import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import * as v from 'valibot';
import { type Api, apiOf } from '../shared/client/api.ts';
import { ApiFailure } from '../shared/client/api-failure.ts';
import { CreatedToken } from '../shared/contract/access.ts';
import { AgentAuthorizationResponse, displayedCode } from '../shared/contract/agent-authorization.ts';
import { routes } from '../shared/contract/api/routes.ts';
import { version } from './version.ts';

/**
 * A token of this device for a workspace, which outlives the session that it is made with; null where the session may
 * not make one.
 */
export async function agentToken(session: Api, workspace_id: string): Promise<CreatedToken | null> {
  const [code_verifier, device_id] = [randomBytes(48).toString('base64url'), deviceId()];
  try {
    const { code } = v.parse(
      AgentAuthorizationResponse,
      await session.ask(routes.authorizeAgent, {
        body: {
          workspace_id,
          code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
          redirect_uri: displayedCode,
          device_id,
          device_name: hostname() || 'this device',
          client_name: 'tributary',
          client_version: version,
          platform: process.platform,
          scope: 'read write admin',
        },
      }),
    );
    const body = { code, code_verifier, redirect_uri: displayedCode, device_id };
    return v.parse(CreatedToken, await apiOf(session.url, undefined).ask(routes.exchangeAgentCode, { body }));
  } catch (error) {
    // The role, or the workspace's policy: the session serves until it ends.
    if (error instanceof ApiFailure && error.status === 403) return null;
    throw error;
  }
}

/** The same device is recognised, and its name is not told. */
const deviceId = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 32);
