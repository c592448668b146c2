import { Problem } from '../contract/problems.ts';
import type { CollectionKeys } from '../domain/events/receive/keys.ts';
import type { HttpResponse } from './api-gateway.ts';

const maxAgeSeconds = '600';

/** Answers a preflight, which names no project: 204 where some active project allows the origin, else 403 (C-COLLECT-18). */
export async function preflightReply(
  keys: CollectionKeys,
  origin: string | undefined,
  requestId: string,
): Promise<HttpResponse> {
  if (origin !== undefined && !(await keys.isKnownOrigin(origin))) throw new Problem('origin_not_allowed');
  const reply = {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, OPTIONS',
      // Not Authorization: a server key must not appear in a browser.
      'access-control-allow-headers': 'Content-Type, Content-Encoding, X-Request-ID',
      'access-control-max-age': maxAgeSeconds,
      'x-request-id': requestId,
    },
    body: '',
  };
  return allowOrigin(reply, origin);
}

/** The reply made readable to pages of the origin; cookies play no part. */
export const allowOrigin = (response: HttpResponse, origin: string | undefined): HttpResponse => ({
  ...response,
  headers: {
    ...response.headers,
    vary: 'Origin',
    ...(origin !== undefined && {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Retry-After, X-Request-ID, X-Service-Collection-Status',
    }),
  },
});
