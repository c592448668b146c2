import { createHash } from 'node:crypto';

/** SHA-256 (32 bytes) of a value's JSON, which keeps its parts apart. The keys of an object count in their order. */
export const jsonDigest = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();
