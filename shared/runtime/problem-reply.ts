import { errorEnvelope } from '../contract/error-envelope.ts';
import { metricNames } from '../contract/metric-names.ts';
import { Problem } from '../contract/problems.ts';
import type { HttpResponse } from './api-gateway.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';
import { metrics } from './metrics.ts';
import { isUnavailable } from './unavailable.ts';

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
