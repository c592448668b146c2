import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { HostFailure } from '../../domain/codehost/host-failure.ts';
import type { AppCredentials } from '../../domain/codehost/ports.ts';

/** The host takes tokens that hold for ten minutes at most, and its clock may be ahead of this one's. */
const ahead = { issuedSeconds: -60, expiresSeconds: 9 * 60 };

/**
 * What an app signs in with at its host: a JWT by RS256 that holds for nine minutes.
 * @throws HostFailure `private_key_unreadable`
 */
export async function appToken({ appId, privateKey }: AppCredentials, now: Date): Promise<string> {
  const at = Math.floor(now.getTime() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(appId)
    .setIssuedAt(at + ahead.issuedSeconds)
    .setExpirationTime(at + ahead.expiresSeconds)
    .sign(rsaKey(privateKey));
}

/** PKCS#1, as the host gives it out, or PKCS#8. */
function rsaKey(pem: string): KeyObject {
  const key = readableKey(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2_048) throw new HostFailure('private_key_unreadable');
  return key;
}

function readableKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The reason of OpenSSL may quote what it read.
    throw new HostFailure('private_key_unreadable');
  }
}
