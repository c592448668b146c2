import { request } from '@octokit/request';
import { HostFailure, type HostFailureReason } from '../../domain/codehost/ports.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';

export type RestClient = typeof request;

const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const apiVersion = '2022-11-28';

export const restClient = (fetch: GuardedFetch, baseUrl: string, authorization: string | null): RestClient =>
  request.defaults({
    baseUrl,
    headers: {
      'user-agent': 'tributary',
      'x-github-api-version': apiVersion,
      ...(authorization !== null && { authorization }),
    },
    request: { fetch, log: quiet },
  });

/**
 * What the call answers.
 * @throws HostFailure with the reason, and with how long to wait where the host limits
 */
export async function callHost<T>(call: () => Promise<T>, now: () => number = Date.now): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failureOf(error, now());
  }
}

/** The same where the host's 404 is an answer. */
export async function nullIfMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await callHost(call);
  } catch (error) {
    if (error instanceof HostFailure && error.reason === 'not_found') return null;
    throw error;
  }
}

type Refusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly text: string;
};

function failureOf(error: unknown, now: number): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof HostFailure) return error.cause;
  const refusal = refusalOf(error);
  if (refusal === null) return error;
  const wait = waitOf(refusal, now);
  if (wait !== null) return new HostFailure('rate_limited', { retryAfterSeconds: wait });
  return new HostFailure(reasonOf(refusal.status));
}

function refusalOf(error: Error): Refusal | null {
  if (!('status' in error) || typeof error.status !== 'number') return null;
  const response = 'response' in error ? error.response : null;
  const headers = typeof response === 'object' && response !== null && 'headers' in response ? response.headers : {};
  return { status: error.status, headers: (headers ?? {}) as Refusal['headers'], text: error.message };
}

function reasonOf(status: number): HostFailureReason {
  if (status === 401) return 'app_refused';
  if (status === 403) return 'not_allowed';
  if (status === 404 || status === 410) return 'not_found';
  return status >= 500 ? 'failed' : 'not_taken';
}

/** A secondary limit that does not say how long it lasts: the host asks for a minute at the least. */
const leastWaitSeconds = 60;

/** Seconds to wait, by the host's rules of primary and secondary limits; null if nothing limits. */
function waitOf({ status, headers, text }: Refusal, now: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after)) return Math.max(1, Math.ceil(after));
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const reset = Number(headers['x-ratelimit-reset']);
    return Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - now / 1_000)) : leastWaitSeconds;
  }
  return status === 429 || text.toLowerCase().includes('secondary rate limit') ? leastWaitSeconds : null;
}

function ignore(): void {}
