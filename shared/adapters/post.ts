import { HostFailure } from '../domain/codehost/host-failure.ts';
import type { Post } from '../domain/notifications/ports.ts';
import type { GuardedFetch } from './outbound/guarded-fetch.ts';

/** Sends notifications by a fetch that reaches public addresses alone. */
export const postBy =
  (fetch: GuardedFetch): Post =>
  async (url, headers, body) => {
    try {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      return { status };
    } catch (error) {
      return { error: error instanceof HostFailure ? error.reason : 'unreachable' };
    }
  };
