import { get as getByHttp, type IncomingMessage } from 'node:http';
import { get as getByHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as v from 'valibot';
import { isStorable } from '../contract/fields.ts';
import { UserId } from '../contract/ids.ts';
import { Fault } from '../contract/problems.ts';
import type { VerifiedSession } from '../domain/workspaces/access/authenticate.ts';

type Issuer = { readonly issuer: string; readonly audience: string; readonly jwksUrl: string };

const algorithms = ['RS256', 'ES256', 'EdDSA'];
const clockToleranceSeconds = 60;

/** These say that the token is bad; any other failure says that the issuer's keys could not be had. */
const refusals = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSMultipleMatchingKeys,
  errors.JWKSNoMatchingKey,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
];

const Claims = v.object({
  sub: UserId,
  email: v.fallback(v.nullable(v.pipe(v.string(), v.check(isStorable))), null),
});

/** Verifies session JWTs of one OIDC issuer. Throws if its keys cannot be fetched: then nothing can be verified. */
export function oidcSessions({
  issuer,
  audience,
  jwksUrl,
}: Issuer): (jwt: string, now: Date) => Promise<VerifiedSession | null> {
  const keys = issuerKeys(new URL(jwksUrl));
  const rules = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds, requiredClaims: ['sub', 'exp'] };
  return async (jwt, now) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, keys, { ...rules, currentDate: now });
      // Without a key id any key of the issuer would do; a token of the future was signed by a wrong clock or by hand.
      const { iat = 0 } = payload;
      if (protectedHeader.kid === undefined || iat > now.getTime() / 1_000 + clockToleranceSeconds) return null;
      const claims = v.safeParse(Claims, payload);
      return claims.success ? { userId: claims.output.sub, email: claims.output.email } : null;
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal)) return null;
      throw new IssuerUnavailable('the keys of the issuer cannot be read', { cause: error });
    }
  };
}

class IssuerUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}

const cooldownMs = 30_000;
const maxAgeMs = 600_000;
const timeoutMs = 5_000;

/** As jose's remote key set, without Node's `fetch`, which takes a tenth of a cold start. At most every 30 seconds. */
function issuerKeys(url: URL): JWTVerifyGetKey {
  let known = { keys: createLocalJWKSet({ keys: [] }), at: Number.NEGATIVE_INFINITY };
  let asking: Promise<typeof known> | undefined;
  const ask = async () => {
    asking ??= read(url).finally(() => {
      asking = undefined;
    });
    known = await asking;
  };
  const isOlder = (ms: number) => Date.now() >= known.at + ms;
  return async (header, token) => {
    if (isOlder(maxAgeMs)) await ask();
    try {
      return await known.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isOlder(cooldownMs)) throw error;
      await ask();
      return known.keys(header, token);
    }
  };
}

async function read(url: URL) {
  const set = (await json(await answerOf(url))) as JSONWebKeySet;
  return { keys: createLocalJWKSet(set), at: Date.now() };
}

function answerOf(url: URL): Promise<IncomingMessage> {
  const get = url.protocol === 'http:' ? getByHttp : getByHttps;
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.destroy();
      reject(new Fault('issuer_keys_refused', `the issuer's keys were answered with ${answer.statusCode}`));
    });
    request.on('error', reject);
  });
}
