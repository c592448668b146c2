import { Fault } from '../../shared/contract/problems.ts';
import { compactLake } from '../../shared/domain/events/compact/compact-lake.ts';
import { expireEvents } from '../../shared/domain/events/expire-events.ts';
import { compactorPorts } from '../../shared/runtime/composition/collection.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { logger } from '../../shared/runtime/logger.ts';

const { leaseOf, ...ports } = compactorPorts();

/** What an object takes that is begun just before: reading, packing and writing 96 MiB. */
const reserveMs = 120_000;

/** Compacts the hours of the lake that have ended and removes those that are kept no longer, as far as its time goes. */
export const handler = instrumented(async (_event: unknown, context): Promise<void> => {
  const now = new Date();
  const lease = leaseOf(context.awsRequestId);
  if (!(await lease.take(now))) return logger.info('lake not compacted; somebody else works on it');
  try {
    const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
    const { failed, ...figures } = await compactLake(ports, { now, timeIsUp });
    const expired = await expireEvents(ports, { now, timeIsUp });
    logger.info('lake compacted', { ...figures, expired });
    if (failed > 0) throw new Fault('lake_not_compacted', `${failed} partitions of the lake were not compacted`);
  } finally {
    await lease.release();
  }
});
