import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { decodeJwt } from 'jose';
import { type Api, ApiFailure, apiOf, type Items, requestAnswer, requestItems } from '../../shared/client/api.ts';
import type { CreatedToken } from '../../shared/contract/access.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { displayedCode } from '../../shared/contract/oauth-clients.ts';
import { authorizePage } from '../../shared/contract/pages.ts';
import type { TokenScope } from '../../shared/contract/vocabulary.ts';
import { UsageError } from '../outcome.ts';
import { chosen } from '../service/names.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import type { SignedIn, TokenRequest } from './where.ts';

function newAuthorization(scopes: readonly TokenScope[]) {
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
async function agentToken(session: Api, workspace_id: string, scopes: readonly TokenScope[]): Promise<AgentToken> {
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

const exchangeCode = (url: string, { proof }: Authorization, code: string): Promise<CreatedToken> =>
  requestAnswer(apiOf(url, undefined), routes.exchangeAgentCode, { body: { code, ...proof } });

/** What a session that the browser brought is good for: a token of one workspace where it may make one, else itself. */
export async function tokenBySession(url: string, session: string, requested: TokenRequest): Promise<SignedIn> {
  const api = apiOf(url, session);
  const items = await requestItems(api, routes.listWorkspaces);
  const workspace = workspaceOf(items, requested);
  const { sub: user = '', exp } = decodeJwt(session);
  const expires_at = exp === undefined ? undefined : new Date(exp * 1_000).toISOString();
  const itself = { user, token: session, expires_at, workspace: workspace?.id };
  const until = `The session is saved instead. It expires ${expires_at ?? 'when the identity provider decides'}.`;
  if (workspace === undefined) {
    const names = printable(items.map(({ name }) => name).join(', '));
    const why =
      items.length === 0 ? 'You are not a member of any workspace yet.' : `Choose one with --workspace: ${names}.`;
    return { ...itself, warnings: [`A long-lived token belongs to one workspace. ${why} ${until}`] };
  }
  const token = await agentToken(api, workspace.id, requested.scopes);
  if (token.newToken === null)
    return { ...itself, warnings: [`No long-lived token was created: ${printable(token.why)} ${until}`] };
  const { newToken } = token;
  return { user, token: newToken.token, expires_at: newToken.expires_at, workspace: workspace.id, warnings: [] };
}

type Workspaces = Items<typeof routes.listWorkspaces>;

/** The requested one, the one used before, or the only one. Throws CommandError. */
function workspaceOf(
  items: Workspaces,
  { requestedWorkspace, remembered }: TokenRequest,
): Workspaces[number] | undefined {
  if (requestedWorkspace !== undefined) return chosen(items, requestedWorkspace, 'workspace');
  return items.find(({ id }) => id === remembered) ?? (items.length === 1 ? items[0] : undefined);
}

/** A token by a code that a person reads in a browser elsewhere and types here. Throws ApiFailure, UsageError. */
export async function tokenByDisplayedCode(
  url: string,
  { scopes, requestedWorkspace }: TokenRequest,
  terminal: Pick<Terminal, 'input' | 'messages'>,
  show: (address: string) => void,
): Promise<SignedIn> {
  const authorization = newAuthorization(scopes);
  const query = new URLSearchParams({
    ...authorization.request,
    ...(requestedWorkspace !== undefined && { workspace: requestedWorkspace }),
  });
  show(`${url}${authorizePage}?${query}`);
  const code = await answered(terminal);
  if (code === '') throw new UsageError('No code was entered.', ['The page shows the code after you allow the token.']);
  const { token, workspace_id: workspace, expires_at } = await exchangeCode(url, authorization, code);
  return { user: await userOf(url, token), token, workspace, expires_at, warnings: [] };
}

async function answered({ input, messages }: Pick<Terminal, 'input' | 'messages'>): Promise<string> {
  const reader = createInterface({ input, output: messages });
  try {
    const ended = new Promise<string>((resolve) => void reader.once('close', () => resolve('')));
    return (await Promise.race([reader.question('Code: '), ended])).trim();
  } finally {
    reader.close();
  }
}

/** Whose token it is: empty of one that may not read. */
const userOf = (url: string, token: string): Promise<string> =>
  requestAnswer(apiOf(url, token), routes.getAgentContext).then(
    ({ user_id }) => user_id,
    () => '',
  );
