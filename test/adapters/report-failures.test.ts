import { expect, it, vi } from 'vitest';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { maxAttempts } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { logger, metrics } from '../../shared/runtime/logger.ts';
import * as failures from '../../shared/runtime/report-failures.ts';

const received_at = '2026-11-22T10:00:00.000Z';
const delivery = (attempts: number) =>
  ({ workspace_id: 'w', delivery_id: 'd', request_id: 'r', attempts, received_at }) as never;
const ids = { workspace_id: 'w', delivery_id: 'd', request_id: 'r' };
const thrown = new TypeError('secret');
const error = { name: 'TypeError', stack: expect.stringMatching(/^ +at /) };
const at = (time: string) => new Date(`2026-11-22T${time}Z`);
const count = (name: string, times = 1) => [name, 'Count', times];
const sendFailed = count(metricNames.sendFailed);
const sent = { workspace_id: 'w', webhook_id: 'h', notification: { id: 'n' }, payload: 'secret' };
const notice = { workspace_id: 'w', webhook_id: 'h', notification_id: 'n' };
const record = (handle: string, times: string) =>
  ({ receiptHandle: handle, attributes: { ApproximateReceiveCount: times } }) as never;
const { onSendFailed, onRecountSendFailed, onAttemptFailed, onChecksSendFailed, onSummaryFailed } = failures;
const { onAnnounceFailed, onAnnounceLate, onUndelivered, onCountFailed, onProjected, giveBack } = failures;
const attempts = (...all: object[]) => ({ ...sent, attempts: all }) as never;
const recount = { workspace_id: 'w', connector_id: 'c', revision: 2, other: 'secret' } as never;

it.each<[level: 'info' | 'warn' | 'error', metric: unknown, more: object, report: () => unknown]>([
  ['warn', sendFailed, { ...ids, error }, () => onSendFailed(delivery(1), thrown)],
  [
    ...(['warn', sendFailed, { workspace_id: 'w', connector_id: 'c', revision: 2, error }] as const),
    () => onRecountSendFailed(recount, thrown),
  ],
  ...[1, maxAttempts - 1, maxAttempts, maxAttempts + 1].map(
    (made): [level: 'error', metric: unknown, more: object, report: () => unknown] => [
      'error',
      count(made < maxAttempts ? metricNames.attemptBroke : metricNames.deliveryFailed),
      { ...ids, attempts: made, error },
      () => onAttemptFailed(delivery(made), thrown),
    ],
  ),
  ['warn', sendFailed, { error }, () => onChecksSendFailed(thrown)],
  ['warn', null, { error }, () => onSummaryFailed(thrown)],
  [
    ...(['warn', count(metricNames.notificationLost), { workspace_id: 'w', error }] as const),
    () => onAnnounceFailed('w' as never, thrown),
  ],
  ['warn', sendFailed, { workspace_id: 'w', error }, () => onAnnounceLate('w' as never, thrown)],
  [
    ...(['warn', count(metricNames.notificationFailed), { ...notice, status: 503, error: 'status' }] as const),
    () => onUndelivered(attempts({ status: null, error: 'timeout' }, { status: 503, error: 'status' })),
  ],
  [
    ...(['warn', count(metricNames.notificationFailed), { ...notice, status: null, error: null }] as const),
    () => onUndelivered(attempts()),
  ],
  ['warn', null, { error }, () => onCountFailed(thrown)],
  ...(
    [
      ['10:00:01.500', 1_500],
      ['09:59:00.000', 0],
    ] as const
  ).map(([time, lag_ms]): [level: 'info', metric: unknown, more: object, report: () => unknown] => [
    ...(['info', [metricNames.projectionLag, 'Milliseconds', lag_ms], { ...ids, lag_ms }] as const),
    () => onProjected(delivery(1), at(time)),
  ]),
  [
    ...(['warn', count(metricNames.messageHandedBack, 2), { messages: 2, error }] as const),
    () => giveBack(() => Promise.reject(thrown), [record('a', '1'), record('b', '2')]),
  ],
])('reports at the level %s, counts %o and logs %o, without what was sent', async (level, metric, more, report) => {
  const added = vi.spyOn(metrics, 'addMetric').mockReturnValue(undefined as never);
  const logs = (['info', 'warn', 'error'] as const).map((name) => vi.spyOn(logger, name).mockReturnValue(undefined));
  await report();
  const logged = logs.flatMap(({ mock }, n) => mock.calls.map(([, fields]) => [['info', 'warn', 'error'][n], fields]));
  expect([added.mock.calls, logged]).toEqual([metric === null ? [] : [metric], [[level, more]]]);
  expect(JSON.stringify(logged)).not.toContain('secret');
  for (const one of [added, ...logs]) one.mockRestore();
});

it('hands messages back with how often they were received, and nothing if all were worked', async () => {
  const added = vi.spyOn(metrics, 'addMetric').mockReturnValue(undefined as never);
  const handed: unknown[] = [];
  const handBack = async (messages: unknown) => void handed.push(messages);
  await giveBack(handBack, []);
  expect([handed, added.mock.calls]).toEqual([[], []]);
  await giveBack(handBack, [record('a', '1'), record('b', '12')]);
  expect(handed).toEqual([
    [
      { receiptHandle: 'a', receiveCount: 1 },
      { receiptHandle: 'b', receiveCount: 12 },
    ],
  ]);
  added.mockRestore();
});
