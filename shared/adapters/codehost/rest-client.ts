import { timingSafeEqual } from 'node:crypto';
import { request } from '@octokit/request';
import { sha256 } from '../../domain/base/digest.ts';
import { HostFailure, type HostFailureReason } from '../../domain/codehost/code-host.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';

export type RestClient = typeof request;

const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** Names the version of the REST interface that the calls are written for; hosts of other kinds ignore it. */
const version = { 'x-github-api-version': '2022-11-28' };

/** Calls a host's REST interface with a token. */
export const restClient = (fetch: GuardedFetch, baseUrl: string, authorization: string): RestClient =>
  request.defaults({
    baseUrl,
    headers: { 'user-agent': 'tributary', ...version, authorization },
    request: { fetch, log: quiet },
  });

/**
 * What the call answers.
 * @throws HostFailure with the reason, and with how long to wait where the host limits
 */
async function callHost<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failureOf(error, Date.now());
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

/** The data that a route answers. */
export const callData = async (rest: RestClient, route: string, parameters: object = {}): Promise<unknown> =>
  (await callHost(() => rest(route, { ...parameters }))).data;

/** The same; null where the host's 404 is an answer. */
export async function findData(rest: RestClient, route: string, parameters: object = {}): Promise<unknown> {
  const found = await nullIfMissing(() => rest(route, { ...parameters }));
  return found === null ? null : found.data;
}

/** A file that is too large to be read holds nothing that could be read. */
export async function noneIfTooLarge(read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostFailure && error.reason === 'too_large') return new Uint8Array();
    throw error;
  }
}

/** The bytes of a response. Hosts redirect to their storage, by an address that needs no token and must get none. */
export async function download(
  fetch: GuardedFetch,
  call: () => Promise<{ readonly data: unknown; readonly headers: { readonly location?: string | undefined } }>,
): Promise<Uint8Array> {
  const { data, headers } = await callHost(call);
  const { location } = headers;
  if (location === undefined && data instanceof ArrayBuffer) return new Uint8Array(data);
  const stored = location !== undefined && URL.canParse(location) ? await fetch(location) : null;
  if (!stored?.ok) throw new HostFailure('failed');
  return new Uint8Array(await stored.arrayBuffer());
}

/** Compares a value of a request with a secret one. The time depends on neither: digests are of one length. */
export const isSame = (provided: string, expected: string): boolean =>
  timingSafeEqual(sha256(provided), sha256(expected));

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
  // A conflict is with another write that is under way.
  return status >= 500 || status === 409 ? 'failed' : 'not_taken';
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
