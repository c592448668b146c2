import { once } from 'node:events';
import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

type Algorithm = 'ES256' | 'RS256' | 'EdDSA' | 'ES384';
type Claims = {
  readonly withoutKeyId?: true;
  readonly issuedAt?: Date;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expiresAt?: Date;
  readonly algorithm?: Algorithm;
  readonly keyId?: string;
  readonly nonce?: string;
};

/** An OIDC issuer with its JWKS on loopback, one key an algorithm. */
export async function startIssuer() {
  const keys = new Map<string, { readonly key: CryptoKey; readonly jwk: object }>();
  const addKey = async (algorithm: Algorithm, keyId: string = algorithm) => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: 'sig' };
    keys.set(keyId, { key: privateKey, jwk });
  };
  for (const algorithm of ['ES256', 'RS256', 'EdDSA', 'ES384'] as const) await addKey(algorithm);
  let requested = 0;
  const server = createServer((_request, response) => {
    requested++;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: [...keys.values()].map(({ jwk }) => jwk) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the issuer has no port');
  const issuer = `http://127.0.0.1:${address.port}`;
  return {
    issuer,
    audience: 'tributary',
    jwksUrl: `${issuer}/jwks.json`,
    timesAsked: () => requested,
    addKey,
    sign: async (subject: string, claims: Claims = {}): Promise<string> => {
      const algorithm = claims.algorithm ?? 'ES256';
      const keyId = claims.keyId ?? algorithm;
      const { key } = keys.get(keyId) ?? (await unknownKey(algorithm));
      return new SignJWT({
        email: `${subject}@example.test`,
        ...(claims.nonce !== undefined && { nonce: claims.nonce }),
      })
        .setProtectedHeader({ alg: algorithm, ...(claims.withoutKeyId !== true && { kid: keyId }) })
        .setSubject(subject)
        .setIssuer(claims.issuer ?? issuer)
        .setAudience(claims.audience ?? 'tributary')
        .setIssuedAt(claims.issuedAt ?? new Date())
        .setExpirationTime(claims.expiresAt ?? new Date(Date.now() + 3_600_000))
        .sign(key);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const unknownKey = async (algorithm: Algorithm) => ({ key: (await generateKeyPair(algorithm)).privateKey });
