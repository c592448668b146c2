import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Whether a transaction was refused by a condition, or by another transaction at the same items. */
export function isConditionFailure(error: unknown): boolean {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  return reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'TransactionConflict');
}
