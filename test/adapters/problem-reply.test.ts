import { expect, it, vi } from 'vitest';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { Fault, Problem } from '../../shared/contract/problems.ts';
import { logger, metrics } from '../../shared/runtime/logger.ts';
import { describeError, problemOf, problemReply, redactedError } from '../../shared/runtime/problem-reply.ts';

const named = (name: string, more: object = {}) => Object.assign(new Error('secret'), { name, ...more });

it.each([
  ...['InternalServerError', 'LimitExceededException', 'ProvisionedThroughputExceededException'],
  ...['RequestLimitExceeded', 'RequestTimeout', 'ServiceUnavailable', 'SlowDown', 'ThrottledException', 'Throttling'],
  ...['ThrottlingException', 'TimeoutError', 'TooManyRequestsException', 'TransactionConflictException'],
  ...['TransactionInProgressException', 'store_throttled', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['EPIPE', 'ETIMEDOUT'],
])('%s of a store, by its name, its code or its cause, is answered with 503', (name) => {
  for (const error of [named(name), named('Error', { code: name }), named('Error', { cause: named(name) })])
    expect([problemOf(error).code, problemOf(error).cause]).toEqual(['unavailable', error]);
});

it('a fault of a server is answered with 503, what nobody expects with 500, and a problem as it is', () => {
  expect(problemOf(named('Error', { $fault: 'server' })).code).toBe('unavailable');
  for (const error of [
    named('TypeError'),
    named('Error', { $fault: 'client' }),
    named('Error', { code: 7 }),
    'text',
    null,
  ])
    expect(problemOf(error).code).toBe('internal_error');
  const problem = new Problem('not_found');
  expect(problemOf(problem)).toBe(problem);
});

it.each<[Problem, headers: object, metric: string | null]>([
  [new Problem('not_found'), {}, null],
  [new Problem('unauthorized'), { 'www-authenticate': 'Bearer' }, null],
  [new Problem('rate_limited'), { 'retry-after': '1' }, metricNames.rateLimited],
  [new Problem('rate_limited', { retryAfterSeconds: 7 }), { 'retry-after': '7' }, metricNames.rateLimited],
  [new Problem('rate_limited', { retryAfterSeconds: 0 }), { 'retry-after': '1' }, metricNames.rateLimited],
  [new Problem('collection_disabled'), {}, metricNames.unavailable],
  [new Problem('unavailable', { cause: named('SlowDown') }), { 'retry-after': '1' }, metricNames.unavailable],
  [new Problem('internal_error', { cause: named('TypeError') }), {}, metricNames.internalError],
])(
  'the reply of $code has its headers, and is logged and counted if the service is at fault',
  (problem, headers, metric) => {
    const added = vi.spyOn(metrics, 'addMetric').mockReturnValue(undefined as never);
    const logged = vi.spyOn(logger, 'error').mockReturnValue(undefined as never);
    const { body, ...reply } = problemReply(problem, 'r1');
    const common = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': 'r1' };
    expect(reply).toEqual({ status: problem.status, headers: { ...common, ...headers } });
    expect(JSON.parse(String(body)).detail).toMatchObject({ code: problem.code, request_id: 'r1' });
    expect(added.mock.calls).toEqual(metric === null ? [] : [[metric, 'Count', 1]]);
    const { name } = problem.cause instanceof Error ? problem.cause : problem;
    const log = ['request failed', { request_id: 'r1', code: problem.code, error: expect.objectContaining({ name }) }];
    expect(logged.mock.calls).toEqual(problem.status < 500 ? [] : [log]);
    expect(JSON.stringify([body, logged.mock.calls])).not.toContain('secret');
    added.mockRestore();
    logged.mockRestore();
  },
);

it('errors are logged by name and place, and only the service’s own faults with their messages', () => {
  const own = new Fault('node_urn', 'not a node URN');
  expect(describeError(own)).toMatchObject({ name: own.name, code: 'node_urn', message: 'not a node URN' });
  expect(redactedError(own).message).toBe('node_urn: not a node URN');
  const lines = Array.from({ length: 14 }, (_, n) => `    at f${n} (file.ts:${n})`);
  const other = named('TypeError', { stack: ['TypeError: secret', ...lines].join('\n') });
  expect(describeError(other)).toEqual({ name: 'TypeError', stack: lines.slice(0, 12).join('\n') });
  const { name, message, stack } = redactedError(other);
  expect([name, message, stack]).toEqual([
    'TypeError',
    'failed',
    `TypeError: failed\n${lines.slice(0, 12).join('\n')}`,
  ]);
  expect(describeError('secret')).toEqual({ name: 'unknown', stack: '' });
});
