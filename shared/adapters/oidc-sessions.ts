import { errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { UserId } from '../contract/ids.ts';
import { isStorable } from '../contract/storable-text.ts';
import type { VerifiedSession } from '../domain/access/authenticate.ts';
import { issuerKeys } from './issuer-keys.ts';

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

/**
 * Verifies session JWTs of one OIDC issuer. Its keys are cached, and asked for again where a token names an unknown
 * one, at most every 30 seconds. Throws where they cannot be had: such a token is neither good nor bad.
 */
export function oidcSessions({
  issuer,
  audience,
  jwksUrl,
}: Issuer): (jwt: string, now: Date) => Promise<VerifiedSession | null> {
  const keys = issuerKeys(new URL(jwksUrl));
  const rules = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds, requiredClaims: ['sub', 'exp'] };
  return async (jwt, now) => {
    try {
      const { payload } = await jwtVerify(jwt, keys, { ...rules, currentDate: now });
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
