import type { Buffer } from 'node:buffer';

/** The key of `"key" :`; null where that is none. */
export function memberKey(member: Buffer): string | null {
  try {
    const key: unknown = JSON.parse(member.toString('utf8').trimEnd().slice(0, -1));
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
