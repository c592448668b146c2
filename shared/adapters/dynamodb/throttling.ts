import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../contract/fault.ts';

const errors = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);
const reasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** Whether the table refused for its load alone, whole requests and transactions and what was left of batches alike. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code = '' }) => reasons.has(Code));
  if (error instanceof Fault) return error.code === 'store_throttled';
  return error instanceof Error && errors.has(error.name);
}
