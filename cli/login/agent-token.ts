import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Api, apiOf, requestAnswer } from '../../shared/client/api.ts';
import { ApiFailure } from '../../shared/client/api-failure.ts';
import type { CreatedToken } from '../../shared/contract/access.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { displayedCode } from '../../shared/contract/oauth-clients.ts';
import type { TokenScope } from '../../shared/contract/vocabulary.ts';
import { version } from '../version.ts';

export function newAuthorization(scopes: readonly TokenScope[]) {
  const code_verifier = randomBytes(48).toString('base64url');
  const device_id = createHash('sha256').update(hostname()).digest('hex').slice(0, 32);
  return {
    request: {
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      redirect_uri: displayedCode,
      device_id,
      device_name: hostname() || 'this device',
      client_name: 'tributary',
      client_version: version,
      platform: process.platform,
      scope: scopes.join(' '),
    },
    proof: { code_verifier, device_id, redirect_uri: displayedCode },
  };
}

type Authorization = ReturnType<typeof newAuthorization>;

type AgentToken =
  | { readonly newToken: CreatedToken }
  /** Why the session may not make one: the role, or the workspace's policy. */
  | { readonly newToken: null; readonly why: string };

/** A token of this device for a workspace, which outlives the session that creates it. Throws ApiFailure. */
export async function agentToken(
  session: Api,
  workspace_id: string,
  scopes: readonly TokenScope[],
): Promise<AgentToken> {
  const authorization = newAuthorization(scopes);
  try {
    const body = { workspace_id, ...authorization.request };
    const { code } = await requestAnswer(session, routes.authorizeAgent, { body });
    return { newToken: await exchangeCode(session.url, authorization, code) };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return { newToken: null, why: error.message };
    throw error;
  }
}

export const exchangeCode = (url: string, { proof }: Authorization, code: string): Promise<CreatedToken> =>
  requestAnswer(apiOf(url, undefined), routes.exchangeAgentCode, { body: { code, ...proof } });
