import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { AccessKeys } from './access-keys.ts';
import { isSigned, type SignedParts, sha256, statedBodyHash } from './signature.ts';

/** A request that an emulator must not see; its message names the rule. */
export class Refused extends Error {
  readonly statusCode = 403;
}

/**
 * Refuses what a web page could make this machine's browser send: such a request names its origin or its site, or
 * reaches loopback under another name (DNS rebinding).
 * @throws Refused
 */
export function refuseForeign(headers: IncomingHttpHeaders, port: number | undefined): void {
  if (headers.origin !== undefined) throw new Refused('Requests of web pages are refused: there is an Origin header.');
  if ((headers['sec-fetch-site'] ?? 'none') !== 'none')
    throw new Refused('Requests of web pages are refused: Sec-Fetch-Site is not none.');
  if (headers.host !== `127.0.0.1:${port}`) throw new Refused('The Host header is not the address of this emulator.');
}

/**
 * The body of a request that was signed with the keys of this run. Where the signature is over the body's digest, the
 * stream ends in an error if the body is another one.
 * @throws Refused
 */
export function verifiedBody(keys: AccessKeys, request: SignedParts, body: Readable): Readable {
  const stated = statedBodyHash(request);
  if (!hasBody(request.headers)) {
    requireSignature(keys, request, stated ?? sha256(''));
    return body;
  }
  if (stated !== null) requireSignature(keys, request, stated);
  if (stated !== null && !/^[0-9a-f]{64}$/.test(stated)) return body;
  return body.pipe(
    hashing((hash) => {
      if (stated === null) requireSignature(keys, request, hash);
      else if (hash !== stated) throw new Refused('The body is not the one that was signed.');
    }),
  );
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function requireSignature(keys: AccessKeys, request: SignedParts, bodyHash: string): void {
  if (!isSigned(keys, request, bodyHash))
    throw new Refused('The request is not signed with the access keys of this run: see the credentials file.');
}

/** Passes bytes on, and ends once `check` has taken their digest. */
function hashing(check: (hash: string) => void): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
    flush: (done) => {
      try {
        check(hash.digest('hex'));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
