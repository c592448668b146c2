import type { SweepTask } from '../../shared/contract/messages.ts';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { Fault } from '../../shared/contract/problems.ts';
import { type ScanPlace, scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import type { RetiredOrder } from '../../shared/domain/lineage/graph/scope-store.ts';
import { archivePayloads } from '../../shared/domain/operations/sweep/archive-payloads.ts';
import { beginRemakes } from '../../shared/domain/operations/sweep/begin-remakes.ts';
import { expireObservationsDaily } from '../../shared/domain/operations/sweep/expire-observations.ts';
import { listNamesHourly } from '../../shared/domain/operations/sweep/list-names.ts';
import { pruneDeadOrders } from '../../shared/domain/operations/sweep/prune-dead-orders.ts';
import { resendAnnouncements } from '../../shared/domain/operations/sweep/resend-announcements.ts';
import { resendChecks } from '../../shared/domain/operations/sweep/resend-checks.ts';
import { resendDue } from '../../shared/domain/operations/sweep/resend-due.ts';
import { resendRecounts, resendRewrites } from '../../shared/domain/operations/sweep/resend-recounts.ts';
import { logger, metrics } from '../../shared/runtime/logger.ts';
import { describeError } from '../../shared/runtime/problem-reply.ts';

type PortsOf<Work extends (ports: never, ...more: never[]) => unknown> = Parameters<Work>[0];

export type SweepFunctionPorts = PortsOf<typeof scanGaps> &
  PortsOf<typeof pruneDeadOrders> &
  PortsOf<typeof expireObservationsDaily> &
  PortsOf<typeof archivePayloads> &
  PortsOf<typeof listNamesHourly> &
  PortsOf<typeof beginRemakes> &
  PortsOf<typeof resendChecks> &
  PortsOf<typeof resendRecounts> &
  PortsOf<typeof resendRewrites> &
  PortsOf<typeof resendAnnouncements> &
  PortsOf<typeof resendDue>;

type SweepRun = { readonly now: Date; readonly hourly?: boolean; readonly timeIsUp: () => boolean };

type Tasks = Readonly<Record<SweepTask, (run: SweepRun) => Promise<void>>>;

/** Each task of the sweep; what it found is counted and, if it found something, logged. */
export const sweepTasks = (ports: SweepFunctionPorts): Tasks => ({
  due: (run) => sweepDue(ports, run),
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
    const { pruned, forgotten, failed } = await pruneDeadOrders(ports, { ...run, onOrderFailed });
    const observations = await expireObservationsDaily(ports, run);
    count(metricNames.orderPruned, pruned);
    count(metricNames.orderForgotten, forgotten);
    count(metricNames.orderNotCollected, failed);
    count(metricNames.observationForgotten, observations);
    report('garbage collected', { pruned, forgotten, observations });
  },
  checks: async (run) => {
    const { sent } = await resendChecks(ports, run);
    count(metricNames.checkSent, sent);
    report('checks swept', { sent });
  },
  payloads: async (run) => {
    const { archived, failed } = await archivePayloads(ports, run);
    report('payloads archived', { archived, failed });
    if (failed > 0) throw new Fault('payloads_not_archived', `${failed} payloads were not archived, and stay`);
  },
  names: async (run) => {
    report('names listed', { lists: await listNamesHourly(ports, run) });
  },
});

async function sweepDue(ports: SweepFunctionPorts, { now, timeIsUp }: SweepRun): Promise<void> {
  // Few, and bounded: they do not wait for a backlog of deliveries.
  const recounts = await resendRecounts(ports, now);
  const remakes = await beginRemakes(ports, now);
  const rewrites = await resendRewrites(ports, now);
  const announced = await resendAnnouncements(ports, now);
  const { cutShort, ...deliveries } = await resendDue(ports, now, timeIsUp);
  count(metricNames.dueSweepCutShort, cutShort);
  count(metricNames.deliveryResent, deliveries.resent);
  count(metricNames.deliveryFailed, deliveries.failed);
  count(metricNames.recountResent, recounts.resent);
  report('due work swept', {
    ...deliveries,
    recounts: recounts.resent,
    recounts_unsent: recounts.unsent,
    remakes,
    rewrites,
    announced,
  });
}

/** A metric that is never published costs nothing, and one without a figure rings no alarm. */
function count(name: string, value: number): void {
  if (value > 0) metrics.addMetric(name, 'Count', value);
}

const onOrderFailed = ({ graph, scope, order }: RetiredOrder, error: unknown) => {
  logger.error('order not collected', { graph, scope, order, error: describeError(error) });
};

function report(message: string, figures: Readonly<Record<string, number>>): void {
  if (Object.values(figures).some((figure) => figure > 0)) logger.info(message, figures);
}
