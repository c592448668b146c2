import { randomUUID } from 'node:crypto';
import { readCanaryKeys } from '../../shared/adapters/dynamodb/registry/canary-keys.ts';
import { canaryRound } from '../../shared/client/canary-round.ts';
import { Fault } from '../../shared/contract/problems.ts';
import { table } from '../../shared/runtime/composition/stores.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { describeError } from '../../shared/runtime/problem-reply.ts';

const from = table();
const urls = {
  url: environment('API_URL'),
  collectUrl: environment('COLLECT_URL'),
  ingestUrl: environment('INGEST_URL'),
};

/** What is under way when the time is up must still end. */
const reserveMs = 15_000;

/** Sends and queries as users do. A failed round is an error of the function, which Lambda reports without cost. */
export const handler = instrumented(async (_event: unknown, context): Promise<void> => {
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
  try {
    const keys = await readCanaryKeys(from);
    if (keys === null) throw new Fault('canary_without_keys', 'the canary has no keys');
    await canaryRound(keys, { ...urls, newId: randomUUID, timeIsUp });
  } catch (error) {
    logger.error('round of the canary failed', { error: describeError(error) });
    throw error;
  }
});
