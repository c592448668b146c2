import { type CollectionReceipt, collectionRoutes } from '../contract/collection.ts';
import type { CaptureResult } from '../contract/foreign-formats.ts';
import { metricNames } from '../contract/metric-names.ts';
import { Problem } from '../contract/problems.ts';
import type { Clock } from '../domain/base/time/timestamp.ts';
import {
  acceptCaptureBatch,
  acceptNativeBatch,
  acceptPosthogBatch,
  acceptSegmentBatch,
  type CollectPorts,
  type CollectRequest,
} from '../domain/events/accept-batch.ts';
import type { CollectionKeys } from '../domain/events/receive/keys.ts';
import { type HttpEvent, type HttpRequest, type HttpResponse, proxyResult, readHttpEvent } from './api-gateway.ts';
import type { HttpHandler } from './http.ts';
import { instrumented } from './instrumented.ts';
import { logger, metrics } from './logger.ts';
import { problemOf, problemReply } from './problem-reply.ts';
import { type RouteMatcher, requestIdOf, requestIds, routeMatcher } from './request-id.ts';

export type CollectionHttpPorts = CollectPorts & {
  readonly clock: Clock;
  /** False where the deployment takes no events for now. */
  readonly enabled: boolean;
};

/** The Lambda handler of the collection routes, which have special headers and a special order of checks (C-ERROR-7, C-COLLECT-13). */
export function collectionFunction(ports: CollectionHttpPorts): HttpHandler {
  const match = routeMatcher(collectionRoutes);
  return instrumented(async (event: HttpEvent) => {
    const request = readHttpEvent(event);
    const requestId = requestIdOf(request.headers['x-request-id'], request.gatewayId);
    const response = await outcome(ports, match, request, requestId);
    logger.info('request', { ...requestIds(requestId, request), method: request.method, status: response.status });
    return proxyResult(response);
  });
}

/** Answers a request and never throws. */
async function outcome(
  ports: CollectionHttpPorts,
  match: RouteMatcher<CollectionRoute>,
  request: HttpRequest,
  requestId: string,
): Promise<HttpResponse> {
  const { origin } = request.headers;
  try {
    if (request.method === 'OPTIONS') {
      match({ ...request, method: 'POST', resource: resourceOf(request) });
      return await preflightReply(ports.keys, request, requestId);
    }
    const { name } = match({ ...request, resource: resourceOf(request) });
    if (!ports.enabled) throw new Problem('collection_disabled');
    const receipt = await accept(ports, name, { ...request, requestId, now: ports.clock.now() });
    metrics.addMetric(metricNames.eventsAccepted, 'Count', receipt.received);
    return withStatus(allowOrigin(receiptReply(name, receipt), origin), receipt.status);
  } catch (error) {
    const refused = withStatus(problemReply(problemOf(error), requestId), 'rejected');
    return allowOrigin(refused, (await isKnown(ports, origin)) ? origin : undefined);
  }
}

/** The gateway's catch-all resource says nothing of the path: it is filled in. */
const resourceOf = ({ resource, params }: HttpRequest): string =>
  resource.replace('{proxy+}', params['proxy'] ?? '').replace(/(?<=.)\/$/, '');

type CollectionRoute = keyof typeof collectionRoutes;

const accepts = {
  collectBatch: acceptNativeBatch,
  collectCompatible: acceptPosthogBatch,
  collectSegment: acceptSegmentBatch,
  captureEvents: acceptCaptureBatch,
} as const satisfies Record<CollectionRoute, typeof acceptNativeBatch>;

function accept(
  ports: CollectPorts,
  name: CollectionRoute,
  request: HttpRequest & Pick<CollectRequest, 'requestId' | 'now'>,
) {
  const query = Object.fromEntries(Object.entries(request.query).map(([key, value]) => [key, [value].flat()[0]]));
  return accepts[name](ports, { ...request, query, path: resourceOf(request) });
}

/** PostHog's and Segment's SDKs accept only 200 as success, and retry on 202. */
const receiptReply = (name: CollectionRoute, receipt: Receipt): HttpResponse => ({
  status: name === 'collectBatch' && receipt.status === 'accepted' ? 202 : 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': receipt.request_id },
  body: receiptBody(name, receipt),
});

type Receipt = CollectionReceipt & { readonly results?: ReadonlyMap<string, CaptureResult> };

function receiptBody(name: CollectionRoute, receipt: Receipt): string {
  if (name === 'collectSegment') return JSON.stringify({ success: true });
  return receipt.results === undefined ? JSON.stringify(receipt) : `{"results":{${membersOf(receipt.results)}}}`;
}

const ok = JSON.stringify({ result: 'ok' } satisfies CaptureResult);

/** Written one by one: an object of a hundred names that are all new takes three times as long. */
const membersOf = (results: ReadonlyMap<string, CaptureResult>): string =>
  Array.from(results, ([id, one]) => `"${id}":${one.result === 'ok' ? ok : JSON.stringify(one)}`).join();

const withStatus = (response: HttpResponse, status: CollectionReceipt['status'] | 'rejected'): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'x-service-collection-status': status },
});

/** Where the store of origins is out of reach, the refusal is still answered, without the header. */
async function isKnown({ keys }: CollectionHttpPorts, origin: string | undefined): Promise<boolean> {
  return origin !== undefined && (await keys.isKnownOrigin(origin).catch(() => false));
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Answers a preflight, which names no project: 204 where some active project allows the origin, else 403 (C-COLLECT-18).
 * All headers are allowed that it names: tracing tools add theirs to each request of a page, and none is read here.
 */
async function preflightReply(
  keys: CollectionKeys,
  { headers }: HttpRequest,
  requestId: string,
): Promise<HttpResponse> {
  const { origin } = headers;
  const named = headers['access-control-request-headers']?.trim() ?? '';
  if (origin !== undefined && !(await keys.isKnownOrigin(origin))) throw new Problem('origin_not_allowed');
  const reply = {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': named.split(',').every((one) => headerName.test(one.trim()))
        ? named
        : 'Content-Type, Content-Encoding, X-Request-ID',
      'access-control-max-age': '600',
      'x-request-id': requestId,
    },
    body: '',
  };
  return allowOrigin(reply, origin);
}

/** The reply made readable to pages of the origin; cookies play no part. */
const allowOrigin = (response: HttpResponse, origin: string | undefined): HttpResponse => ({
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
