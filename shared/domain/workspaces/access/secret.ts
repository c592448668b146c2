import { crc32 } from 'node:zlib';
import { sha256 } from '../../base/digest.ts';

/** The kind of a secret by its prefix, so that scanners recognize leaked ones. */
export const secretPrefixes = {
  token: 'dpt_',
  project_key: 'dpk_',
  server_key: 'dsk_',
  authorization_code: 'dpc_',
  refresh_token: 'dpr_',
} as const;
export type SecretKind = keyof typeof secretPrefixes;

const secretBytes = 32;
const bodyLength = 43;
const checksumLength = 6;

/** A secret of 256 random bits and a checksum: `dpt_` + 43 characters + 6 characters, base64url. */
export function newSecret(randomBytes: (count: number) => Uint8Array, kind: SecretKind): string {
  const body = Buffer.from(randomBytes(secretBytes)).toString('base64url');
  return `${secretPrefixes[kind]}${body}${checksum(body)}`;
}

/** Whether prefix, length and checksum are those of a secret: if not, a store need not be asked. */
export function isSecret(kind: SecretKind, text: string): boolean {
  const rest = text.slice(secretPrefixes[kind].length);
  if (!text.startsWith(secretPrefixes[kind]) || rest.length !== bodyLength + checksumLength) return false;
  return checksum(rest.slice(0, bodyLength)) === rest.slice(bodyLength);
}

/** The credential of an `Authorization: Bearer` header; undefined if it has another form. */
export const bearerOf = (authorization = ''): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** What is kept of a secret: its SHA-256 in hex. 256 random bits need no salt and no slow hash. */
export const hashOf = (secret: string): string => sha256(secret).toString('hex');

function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
