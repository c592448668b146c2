import { decodeJwt } from 'jose';
import { useSyncExternalStore } from 'react';
import { settings } from '../settings.ts';

/** A session lives only in memory: it ends with the page, and the issuer is requested again. */
export type Session = {
  readonly token: string;
  readonly refreshToken: string | null;
  /** Milliseconds since 1970; null if the token does not say. */
  readonly expiresAt: number | null;
  /** How the person is called, null of a token that names nobody. */
  readonly person: string | null;
};

let current: Session | null = null;
let isRefused = false;
const listeners = new Set<() => void>();
/** Tells the other pages of this browser that the session is over. */
const channel = new BroadcastChannel('tributary-session');

export const session = (): Session | null => current;

export function setSession(next: Session | null): void {
  current = next;
  if (next !== null) isRefused = false;
  for (const listener of listeners) listener();
}

export const useSession = (): Session | null =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, session);

export const sessionOf = (token: string, refreshToken: string | null): Session => {
  const { exp, email, sub } = claimsOf(token);
  return { token, refreshToken, expiresAt: exp === undefined ? null : exp * 1_000, person: email ?? sub ?? null };
};

type Claims = { readonly exp?: number; readonly email?: string; readonly sub?: string };

/** What a JWT says, unchecked: the service checks it; a personal access token says nothing. */
function claimsOf(token: string): Claims {
  try {
    return decodeJwt<Claims>(token);
  } catch {
    return {};
  }
}

/** Ends a session whose token the service no longer accepts. Does not redirect to the issuer, to avoid a loop. */
export function refuseSession(): void {
  isRefused = true;
  endSession(false);
}

export const wasRefused = (): boolean => isRefused;

/** Ends the session on this page, and notifies the other pages. */
export function endSession(everywhere: boolean): void {
  setSession(null);
  sessionStorage.removeItem(signedInMark);
  if (everywhere) channel.postMessage('ended');
}

/** Remembers, for as long as the tab, that someone had signed in; no token. */
export const signedInMark = 'tributary.signed-in';

/** Whether someone had signed in on this tab before it was loaded again. */
export const wasSignedIn = (): boolean => sessionStorage.getItem(signedInMark) !== null;

/** A token that a test put into the address; it is taken out of there at once. */
export function takeTokenFromFragment(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (settings.token_in_fragment) setSession(sessionOf(token, null));
}

channel.addEventListener('message', () => endSession(false));
