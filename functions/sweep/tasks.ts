import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { dueDeliveries } from '../../shared/adapters/dynamodb/due-deliveries.ts';
import { activityLog } from '../../shared/adapters/dynamodb/provider-activity.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { SweepTask } from '../../shared/contract/sweep-task.ts';
import { resendDue, type SweepPorts } from '../../shared/domain/sweep/resend-due.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { metricNames, metrics } from '../../shared/runtime/metrics.ts';

type Tasks = Readonly<Record<SweepTask, (now: Date) => Promise<void>>>;

/** Each task of the sweep over the deployed stores. */
export function sweepTasks(): Tasks {
  const { TABLE_NAME, PROJECTION_QUEUE_URL } = environment('TABLE_NAME', 'PROJECTION_QUEUE_URL');
  const table = { client: dynamodb(), name: TABLE_NAME };
  const ports: SweepPorts = {
    due: dueDeliveries(table),
    deliveries: deliveryStore(table),
    activity: activityLog(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
  };
  return {
    due: (now) => due(ports, now),
    // Each later task is one more function here; a schedule that finds nothing to do is no failure.
    gaps: async () => undefined,
    garbage: async () => undefined,
  };
}

async function due(ports: SweepPorts, now: Date): Promise<void> {
  const swept = await resendDue(ports, now);
  metrics.addMetric(metricNames.deliveryResent, 'Count', swept.resent);
  metrics.addMetric(metricNames.deliveryFailed, 'Count', swept.failed);
  if (swept.resent + swept.failed + swept.unsent > 0) logger.info('due deliveries swept', swept);
}
