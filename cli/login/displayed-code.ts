import { createInterface } from 'node:readline/promises';
import { apiOf, requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { authorizePage } from '../../shared/contract/pages.ts';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { exchangeCode, newAuthorization } from './agent-token.ts';
import type { SignedIn, TokenRequest } from './where.ts';

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
