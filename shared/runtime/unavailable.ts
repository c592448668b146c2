import { isThrottled } from '../adapters/dynamodb/throttling.ts';

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
