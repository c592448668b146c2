import { randomBytes } from 'node:crypto';
import { decodeJwt, errors, jwtVerify } from 'jose';
import { HostRefusal, required } from './answers.ts';
import type { HostApp, HostInstallation, HostState, HostToken } from './state.ts';

/** The longest that a token of an app may hold. */
const maxTokenSeconds = 600;

const badCredentials = () => new HostRefusal(401, 'Bad credentials');

/** The app whose JWT a request has: by RS256 with its key, for ten minutes at most, issued in the past. */
export async function appOf(state: HostState, authorization: string | undefined): Promise<HostApp> {
  const token = bearerOf(authorization);
  try {
    const { iss } = decodeJwt(token);
    const app = state.apps.find(({ id }) => String(id) === String(iss));
    if (!app) throw badCredentials();
    const { payload } = await jwtVerify(token, app.publicKey, { algorithms: ['RS256'] });
    const { iat = Number.NaN, exp = Number.NaN } = payload;
    if (!(exp - iat <= maxTokenSeconds) || iat > Date.now() / 1_000 + 1)
      throw new HostRefusal(401, "'Expiration time' claim ('exp') is too far in the future");
    return app;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw badCredentials();
    throw error;
  }
}

/** The token of a request: of an installation or of a person. */
export function tokenOf(state: HostState, authorization: string | undefined): HostToken {
  const token = state.tokens.get(bearerOf(authorization));
  if (!token || token.expiresAt < Date.now()) throw badCredentials();
  return token;
}

/** The installation whose token a request has. */
export function installationOf(state: HostState, authorization: string | undefined): HostInstallation {
  const token = tokenOf(state, authorization);
  const found = required(state.installations.find(({ id }) => id === token.installationId));
  if (found.suspendedAt !== null) throw new HostRefusal(403, 'This installation has been suspended');
  return found;
}

function bearerOf(authorization: string | undefined): string {
  const [scheme = '', token] = (authorization ?? '').split(' ');
  if (token === undefined || !['bearer', 'token'].includes(scheme.toLowerCase()))
    throw new HostRefusal(401, 'Requires authentication');
  return token;
}

const levels: readonly (string | undefined)[] = [undefined, 'read', 'write', 'admin'];

/** Refuses what the account did not grant. */
export function requirePermission({ permissions }: HostInstallation, name: string, level: 'read' | 'write'): void {
  if (levels.indexOf(permissions[name]) < levels.indexOf(level))
    throw new HostRefusal(403, 'Resource not accessible by integration', {
      'x-accepted-github-permissions': `${name}=${level}`,
    });
}

export const tokenMs = 3_600_000;

/** A token of an installation, or of a person, that holds for an hour unless specified otherwise. */
export function newToken(
  state: HostState,
  token: Omit<HostToken, 'expiresAt'>,
  expiresAt: number = Date.now() + tokenMs,
): string {
  const text = `${token.installationId === null ? 'ghu' : 'ghs'}_${randomBytes(18).toString('hex')}`;
  state.tokens.set(text, { ...token, expiresAt });
  return text;
}
