import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { lastSigningKey } from '../../shared/adapters/signing-key.ts';
import type { AccessKeys } from './access-keys.ts';

export class Refused extends Error {
  readonly statusCode = 403;
}

/** Refuses requests of web pages: they name an origin or site, or reach loopback by another name (DNS rebinding). */
export function refuseForeign(headers: IncomingHttpHeaders, port: number | undefined): void {
  if (headers.origin !== undefined) throw new Refused('Requests of web pages are refused: there is an Origin header.');
  if ((headers['sec-fetch-site'] ?? 'none') !== 'none')
    throw new Refused('Requests of web pages are refused: Sec-Fetch-Site is not none.');
  if (headers.host !== `127.0.0.1:${port}`) throw new Refused('The Host header is not the address of this emulator.');
}

/** The body of a request signed with the keys of this run. The stream fails if it is not the signed body. */
export function verifiedBody(keys: AccessKeys, request: SignedParts, body: Readable): Readable {
  const stated = statedBodyHash(request);
  if (!hasBody(request.headers)) {
    requireSignature(keys, request, stated ?? hash('sha256', ''));
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

type SignedParts = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
};

/** What a request claims to be signed with: AWS Signature Version 4, in its headers or in its query. */
type Claim = {
  readonly accessKeyId: string;
  /** `20261121/us-east-1/s3/aws4_request` */
  readonly scope: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `20261121T101500Z` */
  readonly date: string;
  readonly validSeconds: number;
};

const clockSkewMs = 15 * 60 * 1_000;
const unsignedPayload = 'UNSIGNED-PAYLOAD';
const signingKey = lastSigningKey();

/** The digest of the body that the request states, or null if it has to be computed from the body. */
function statedBodyHash({ url, headers }: SignedParts): string | null {
  const stated = headers['x-amz-content-sha256'];
  if (typeof stated === 'string') return stated;
  const { query } = splitUrl(url);
  return query.get('X-Amz-Content-Sha256') ?? (query.has('X-Amz-Signature') ? unsignedPayload : null);
}

function isSigned(keys: AccessKeys, request: SignedParts, bodyHash: string, now = Date.now()): boolean {
  const claim = claimOf(request);
  if (claim === null || claim.accessKeyId !== keys.accessKeyId || !claim.signedHeaders.includes('host')) return false;
  if (!isTimely(claim, now)) return false;
  const text = `AWS4-HMAC-SHA256\n${claim.date}\n${claim.scope}\n${hash('sha256', canonicalRequest(request, claim, bodyHash))}`;
  const expected = createHmac('sha256', signingKey(keys.secretAccessKey, claim.scope)).update(text).digest();
  const provided = Buffer.from(claim.signature, 'hex');
  return provided.length === expected.length && timingSafeEqual(provided, expected);
}

function claimOf({ url, headers }: SignedParts): Claim | null {
  const { query } = splitUrl(url);
  return query.has('X-Amz-Signature') ? presignedClaim(query) : headerClaim(headers);
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

function headerClaim(headers: IncomingHttpHeaders): Claim | null {
  const [, accessKeyId, scope, names, signature] = authorizationForm.exec(headers.authorization ?? '') ?? [];
  const date = headers['x-amz-date'];
  if (!accessKeyId || !scope || !names || !signature || typeof date !== 'string') return null;
  return { accessKeyId, scope, signedHeaders: names.split(';'), signature, date, validSeconds: 0 };
}

function presignedClaim(query: URLSearchParams): Claim | null {
  const [accessKeyId = '', ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  const seconds = Number(query.get('X-Amz-Expires'));
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256' || !(seconds > 0)) return null;
  return {
    accessKeyId,
    scope: scope.join('/'),
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: query.get('X-Amz-Signature') ?? '',
    date: query.get('X-Amz-Date') ?? '',
    validSeconds: seconds,
  };
}

function isTimely({ date, scope, validSeconds }: Claim, now: number): boolean {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const isFresh = now >= signedAt - clockSkewMs && now <= signedAt + Math.max(validSeconds * 1_000, clockSkewMs);
  return isFresh && scope.startsWith(`${date.slice(0, 8)}/`);
}

function canonicalRequest(request: SignedParts, { scope, signedHeaders }: Claim, bodyHash: string): string {
  const { path, query } = splitUrl(request.url);
  const isS3 = scope.split('/')[2] === 's3';
  return [
    request.method,
    // Only S3 signs the path as sent.
    isS3 ? path : path.split('/').map(escaped).join('/'),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${headerText(request.headers[name])}`),
    '',
    signedHeaders.join(';'),
    bodyHash,
  ].join('\n');
}

function splitUrl(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, query: new URLSearchParams() };
  // In a signed query a plus is a plus.
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1).replaceAll('+', '%2B')) };
}

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');

/** RFC 3986, which leaves fewer characters as they are than `encodeURIComponent` does. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const headerText = (value: string | readonly string[] | undefined): string =>
  [value ?? ''].flat().join(',').trim().replace(/\s+/g, ' ');
