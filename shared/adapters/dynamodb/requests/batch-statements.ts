import { BatchExecuteStatementCommand, type BatchStatementRequest } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { Table } from './table.ts';
import { retryRefused } from './transact.ts';

const statementsPerRequest = 25;
const requestsInFlight = 8;
/** DynamoDB takes 8,192 characters. */
const maxStatementLength = 8_000;

/** A write of one item for somebody, in PartiQL, with the condition that it holds under. */
export type BatchedWrite<T> = { readonly one: T; readonly statement: BatchStatementRequest };

/**
 * Writes 25 a request, each for itself, where the operations of single items take one a request. Answers for whom nothing
 * is known to be written: a condition refused, the table did, or the statement is too long. No two may write one item.
 */
export async function executeBatched<T>(table: Table, writes: readonly BatchedWrite<T>[]): Promise<T[]> {
  const isTooLong = ({ statement }: BatchedWrite<T>) => (statement.Statement?.length ?? 0) > maxStatementLength;
  const chunks = chunksOf(
    writes.filter((write) => !isTooLong(write)),
    statementsPerRequest,
  );
  const refused = await inParallel(requestsInFlight, chunks, async (some) => {
    const Statements = some.map(({ statement }) => statement);
    const { Responses = [] } = await retryRefused(() =>
      table.client.send(new BatchExecuteStatementCommand({ Statements })),
    );
    return some.flatMap(({ one }, i) => (Responses[i]?.Error === undefined ? [] : [one]));
  });
  return [...writes.filter(isTooLong).map(({ one }) => one), ...refused.flat()];
}
