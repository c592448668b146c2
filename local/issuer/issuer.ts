import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { listenOnLoopback } from '../listen.ts';
import { issuerName, issuerUrls } from './name.ts';
import { signInPages } from './sign-in.ts';
import type { OfferedUser, Person } from './users.ts';

export type DevelopmentIssuer = {
  /** Where it listens. */
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly discoveryUrl: string;
  readonly isForDevelopment: true;
  /** A session token of a user, good for a year. */
  readonly tokenFor: (user: string, email?: string) => Promise<string>;
  /** Lets these sign in by a click. */
  readonly offer: (users: readonly OfferedUser[]) => void;
  readonly stop: () => Promise<void>;
};

const algorithm = 'ES256';

/** An OIDC issuer for a laptop: its keys are kept in the folder, and served on loopback as a deployment's are. */
export async function startIssuer(folder: string | null): Promise<DevelopmentIssuer> {
  const { privateJwk, publicJwk } = await keysOf(folder);
  const key = await importJWK(privateJwk, algorithm);
  const sign = ({ user, email }: Person, expiry: string, nonce?: string): Promise<string> =>
    new SignJWT({ ...(email && { email }), ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: algorithm, kid: publicJwk.kid ?? '' })
      .setSubject(user)
      .setIssuer(issuerName.issuer)
      .setAudience(issuerName.audience)
      .setIssuedAt()
      .setExpirationTime(expiry)
      .sign(key);
  const server = createServer();
  const baseUrl = await listenOnLoopback(server);
  const signIn = signInPages({
    ...issuerName,
    baseUrl,
    jwks: { keys: [publicJwk] },
    sign: (user, nonce) => sign(user, '1 hour', nonce),
  });
  server.on('request', signIn.listener);
  return {
    baseUrl,
    ...issuerName,
    ...issuerUrls(baseUrl),
    isForDevelopment: true,
    tokenFor: (user, email) => sign({ user, email }, '365 days'),
    offer: signIn.offer,
    stop: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close').catch(() => undefined);
}

async function keysOf(folder: string | null): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const file = folder && path.join(folder, 'issuer.json');
  const kept = file && (await readFile(file, 'utf8').catch(() => null));
  const privateJwk: JWK = kept ? JSON.parse(kept) : await newKey();
  if (file && !kept) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(privateJwk), { mode: 0o600 });
  }
  const { d: _, ...publicJwk } = privateJwk;
  return { privateJwk, publicJwk };
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() };
}
