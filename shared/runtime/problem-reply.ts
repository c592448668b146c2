import { isThrottled } from '../adapters/dynamodb/requests/transact.ts';
import { metricNames } from '../contract/metric-names.ts';
import { errorEnvelope, Fault, Problem } from '../contract/problems.ts';
import type { HttpResponse } from './api-gateway.ts';
import { logger, metrics } from './logger.ts';

/** What was thrown, as a problem: a store out of reach is 503, what nobody expected is 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(isUnavailable(error) ? 'unavailable' : 'internal_error', { cause: error });
}

/** The reply of a problem in the one envelope; what is the service's own fault is logged and counted. */
export function problemReply(problem: Problem, requestId: string): HttpResponse {
  report(problem, requestId);
  return {
    status: problem.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...problemHeaders(problem),
    },
    body: JSON.stringify(errorEnvelope(problem, requestId)),
  };
}

function problemHeaders({ code, status, retryAfterSeconds, allowedMethods }: Problem): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (status === 405) return { allow: allowedMethods.join(', ') };
  // Nobody knows when collection is enabled again.
  if (code === 'collection_disabled') return {};
  if (status === 429 || status === 503) return { 'retry-after': String(Math.max(1, retryAfterSeconds ?? 1)) };
  return {};
}

function report(problem: Problem, requestId: string): void {
  if (problem.status === 429) metrics.addMetric(metricNames.rateLimited, 'Count', 1);
  if (problem.status < 500) return;
  metrics.addMetric(problem.status === 503 ? metricNames.unavailable : metricNames.internalError, 'Count', 1);
  const error = describeError(problem.cause instanceof Error ? problem.cause : problem);
  logger.error('request failed', { request_id: requestId, code: problem.code, error });
}

/** What may be logged of an error. A library's message may quote what it was given: of its errors the name and place. */
export function describeError(error: unknown) {
  if (!(error instanceof Error)) return { name: 'unknown', stack: '' };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    // Only of our own faults: their messages contain no user data.
    ...(error instanceof Fault && { code: error.code, message: error.message }),
    stack: frames.slice(0, maxStackFrames).join('\n'),
  };
}

const maxStackFrames = 12;

/** The same error with nothing that may not be logged, for those that log whatever they are thrown. */
export function redactedError(error: unknown): Error {
  const { name, code, message = 'failed', stack } = describeError(error);
  const title = code === undefined ? message : `${code}: ${message}`;
  return Object.assign(new Error(title), { name, stack: `${name}: ${title}\n${stack}` });
}

const codes = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionConflictException',
  'TransactionInProgressException',
  'store_throttled',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** True where a store was throttled, down or out of reach: the same request may do better later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, $fault } = error as Error & { readonly code?: unknown; readonly $fault?: unknown };
  return (
    isThrottled(error) ||
    codes.has(name) ||
    (typeof code === 'string' && codes.has(code)) ||
    $fault === 'server' ||
    isUnavailable(error.cause)
  );
}
