import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { OutOfTime } from '../../shared/domain/base/time/timestamp.ts';
import { logger, metrics } from '../../shared/runtime/logger.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';

type Work = (n: number) => void;

/** Works a batch of two messages, the second one by `second`; returns what was received, failed and reported. */
async function worked(second: Work, { leftMs = 900_000, body = '{"n":2}' } = {}) {
  const added = vi.spyOn(metrics, 'addMetric').mockReturnValue(undefined as never);
  const logged = vi.spyOn(logger, 'error').mockReturnValue(undefined as never);
  const received: unknown[] = [];
  const returned: unknown[] = [];
  const handler = queueFunction(
    v.object({ n: v.number() }),
    async (messages) => void returned.push(...messages),
    async ({ n }, { timeIsUp, ...rest }) => {
      received.push({ n, ...rest, timeIsUp: timeIsUp() });
      if (n === 2) second(n);
    },
  );
  const record = (n: number, text: string) => ({
    ...{ messageId: `m${n}`, receiptHandle: `h${n}`, body: text, eventSource: 'aws:sqs' },
    attributes: { ApproximateReceiveCount: String(n) },
  });
  const context = { awsRequestId: 'work', getRemainingTimeInMillis: () => leftMs };
  const answer = await handler({ Records: [record(1, '{"n":1}'), record(2, body)] } as never, context as never);
  const reported = {
    metrics: added.mock.calls,
    logs: logged.mock.calls.map(([text, more]) => [text, { ...Object(more), error: Object(more).error.name }]),
  };
  added.mockRestore();
  logged.mockRestore();
  return {
    received,
    returned,
    failed: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    ...reported,
  };
}

const first = { n: 1, messageId: 'm1', receiveCount: 1, timeIsUp: false };
const second = { n: 2, messageId: 'm2', receiveCount: 2, timeIsUp: false };
const given = { failed: ['m2'], returned: [{ receiptHandle: 'h2', receiveCount: 2 }] };
const handedBack = [metricNames.messageHandedBack, 'Count', 1];
const broken = (name: string) => ({
  ...given,
  metrics: [[metricNames.recordFailed, 'Count', 1], handedBack],
  logs: [['message failed', { message_id: 'm2', error: name }]],
});
const fail = (error: Error) => () => {
  throw error;
};

it.each([
  ['is worked', () => undefined, {}, { failed: [], returned: [], metrics: [], logs: [] }],
  ['begins late', () => undefined, { leftMs: 119_999 }, { failed: [], returned: [], metrics: [], logs: [] }],
  ['breaks', fail(new TypeError('secret')), {}, broken('TypeError')],
  ['breaks the contract', () => undefined, { body: '{}' }, { ...broken('ValiError'), received: [first] }],
  ['is not JSON', () => undefined, { body: 'n' }, { ...broken('SyntaxError'), received: [first] }],
  ['has not begun', fail(new OutOfTime()), {}, { ...given, metrics: [handedBack], logs: [] }],
])('only a message that failed returns, and is reported unless its work has not begun: it %s', async (...row) => {
  const [, work, settings, outcome] = row as readonly [string, Work, { leftMs?: number }, object];
  const timeIsUp = settings.leftMs !== undefined;
  const received = [first, second].map((one) => ({ ...one, timeIsUp }));
  expect(await worked(work, settings)).toEqual({ received, ...outcome });
});
