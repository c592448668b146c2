import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { HostFailure } from '../../domain/codehost/code-host.ts';
import type { Post } from '../../domain/notifications/webhook.ts';
import { isAllowedUrl, isPublicAddress } from './allowed-address.ts';

type Init = {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
};

/** The part of `fetch` that requests to code hosts and receivers of webhooks need. */
export type GuardedFetch = (url: string, init?: Init) => Promise<Response>;

type Bounds = {
  /** Of an answer; one that is larger is no answer. */
  readonly maxBytes: number;
  /** Until the answer is whole. */
  readonly timeoutMs: number;
};

/** Checks the address that it connects to, so that a changed resolution gains nothing. Follows no redirect. */
export const guardedFetch =
  (allowedHosts: ReadonlySet<string>, bounds: Bounds): GuardedFetch =>
  async (target, init = {}) => {
    const url = new URL(target);
    if (!isAllowedUrl(url, allowedHosts)) throw new HostFailure('address_refused');
    const isNamed = allowedHosts.has(url.host);
    try {
      return await send(url, init, bounds, isNamed ? undefined : publicLookup);
    } catch (error) {
      if (error instanceof HostFailure) throw error;
      throw new HostFailure('unreachable', { cause: error });
    }
  };

/** Resolves a name, and refuses where any of its addresses is not public. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses: readonly LookupAddress[] = found ?? [];
    if (error) return done(error, '', 0);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(new HostFailure('address_refused'), '', 0);
    return options.all ? done(null, [...addresses]) : done(null, first.address, first.family);
  });
};

function send(
  url: URL,
  { method = 'GET', headers, body }: Init,
  bounds: Bounds,
  by?: LookupFunction,
): Promise<Response> {
  const make = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(bounds.timeoutMs);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal, ...(by && { lookup: by }) };
    const request = make(url, options, (answer) => {
      responseOf(answer, bounds.maxBytes).then(resolve, reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const withoutBody: readonly number[] = [204, 205, 304];

async function responseOf(answer: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new HostFailure('too_large');
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const status = answer.statusCode ?? 500;
  return new Response(withoutBody.includes(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Posts notifications; a host that cannot be reached is an answer. */
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
