import { randomUUID } from 'node:crypto';
import { readCanaryKeys } from '../../shared/adapters/dynamodb/canary-keys.ts';
import { canaryRound } from '../../shared/client/canary-round.ts';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { table } from '../../shared/runtime/composition/tables.ts';
import { describeError } from '../../shared/runtime/describe-error.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { metrics } from '../../shared/runtime/metrics.ts';

const from = table();
const { API_URL } = environment('API_URL');

/** What is under way when the time is up must still end. */
const reserveMs = 15_000;

/** Sends and asks as others do, and publishes how long it took; a round that fails publishes nothing, which rings. */
export const handler = instrumented(async (_event: unknown, context): Promise<void> => {
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
  try {
    const keys = await readCanaryKeys(from);
    if (keys === null) return logger.warn('the canary has no keys');
    const begun = performance.now();
    await canaryRound(keys, { url: API_URL.replace(/\/$/, ''), newId: randomUUID, timeIsUp });
    metrics.addMetric(metricNames.canaryRound, 'Milliseconds', performance.now() - begun);
  } catch (error) {
    logger.error('round of the canary failed', { error: describeError(error) });
  }
});
