import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../../shared/domain/base/digest.ts';

const hosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const cookie = 'tributary-development-session';

export const isLoopback = (url: string): boolean => hosts.has(URL.parse(url)?.hostname ?? '');

/** Whether a request may be of this machine: pages of others name their origin, or reach loopback by their own name. */
export const isOfThisMachine = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
  isLoopback(`http://${host}`) && (origin === undefined || isLoopback(origin));

export const isSecret = (given: string, secret: string): boolean => timingSafeEqual(sha256(given), sha256(secret));

/** The cookie of a browser that has shown the key, and whom it signed in last; signed, since its reader is not trusted. */
export const sessionCookie = (user: string, secret: string): string =>
  `${cookie}=${encodeURIComponent(user)}.${signed(user, secret)}; HttpOnly; SameSite=Lax; Path=/`;

export const endedSession = `${cookie}=; Max-Age=0; Path=/`;

/** Whom a browser signed in last: '' if nobody yet, null if it has not shown the key. */
export function sessionUser({ cookie: header = '' }: IncomingHttpHeaders, secret: string): string | null {
  const value = new RegExp(`(?:^|; ?)${cookie}=([^;.]*)\\.([\\w-]+)`).exec(header);
  const user = decoded(value?.[1] ?? '');
  return value && user !== null && isSecret(value[2] ?? '', signed(user, secret)) ? user : null;
}

const signed = (user: string, secret: string): string =>
  createHmac('sha256', secret).update(`session ${user}`).digest('base64url');

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
