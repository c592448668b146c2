import type { SweepTask } from '../../shared/contract/sweep-task.ts';
import { type ScanPlace, scanGaps } from '../../shared/domain/gaps/scan-gaps.ts';
import type { DeadOrder } from '../../shared/domain/graph/ports.ts';
import { collectDeadOrders } from '../../shared/domain/sweep/collect-dead-orders.ts';
import { forgetInRounds } from '../../shared/domain/sweep/forget-in-rounds.ts';
import { resendDue } from '../../shared/domain/sweep/resend-due.ts';
import { resendRecounts } from '../../shared/domain/sweep/resend-recounts.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { metricNames, metrics } from '../../shared/runtime/metrics.ts';
import type { SweepPorts } from './ports.ts';

/** One run of the sweep: it ends before its time is up, and a later run goes on. */
export type SweepRun = { readonly now: Date; readonly timeIsUp: () => boolean };

type Tasks = Readonly<Record<SweepTask, (run: SweepRun) => Promise<void>>>;

/** Each task of the sweep; what it found is counted and, where it found something, logged. */
export const sweepTasks = (ports: SweepPorts): Tasks => ({
  due: async ({ now }) => {
    const deliveries = await resendDue(ports, now);
    const recounts = await resendRecounts(ports, now);
    count(metricNames.deliveryResent, deliveries.resent);
    count(metricNames.deliveryFailed, deliveries.failed);
    count(metricNames.sendFailed, deliveries.unsent + recounts.unsent);
    count(metricNames.recountResent, recounts.resent);
    report('due work swept', { ...deliveries, recounts: recounts.resent, recounts_unsent: recounts.unsent });
  },
  gaps: async (run) => {
    const from = (await ports.places.read('gaps')) as ScanPlace | null;
    const { next, ...found } = await scanGaps(ports, { ...run, from });
    if (from !== null || next !== null) await ports.places.write('gaps', next);
    count(metricNames.gapOpened, found.opened);
    count(metricNames.gapResolved, found.resolved);
    count(metricNames.heldSuperseded, found.superseded);
    report('gaps scanned', { opened: found.opened, resolved: found.resolved, superseded: found.superseded });
  },
  garbage: async (run) => {
    const { pruned, forgotten, failed } = await collectDeadOrders(ports, { ...run, orderFailed });
    const observations = await forgetInRounds(ports, run);
    count(metricNames.orderPruned, pruned);
    count(metricNames.orderForgotten, forgotten);
    count(metricNames.orderNotCollected, failed);
    count(metricNames.observationForgotten, observations);
    report('garbage collected', { pruned, forgotten, observations });
  },
});

const count = (name: string, value: number) => metrics.addMetric(name, 'Count', value);

const orderFailed = ({ workspace, scope, order }: DeadOrder, error: unknown) => {
  const { name, stack } = error instanceof Error ? error : { name: 'unknown', stack: undefined };
  logger.error('order not collected', { workspace_id: workspace, scope, order, error: name, stack });
};

function report(message: string, figures: Readonly<Record<string, number>>): void {
  if (Object.values(figures).some((figure) => figure > 0)) logger.info(message, figures);
}
