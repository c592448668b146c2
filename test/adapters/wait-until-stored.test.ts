import { afterAll, expect, it, vi } from 'vitest';
import { waitUntilStored } from '../../cli/events/wait-until-stored.ts';

// The clock moves only while the command waits.
let now = 0;
vi.mock('node:timers/promises', async (importOriginal) => ({
  ...(await importOriginal<typeof import('node:timers/promises')>()),
  setTimeout: async (milliseconds: number) => {
    now += milliseconds;
  },
}));
vi.spyOn(Date, 'now').mockImplementation(() => now);
afterAll(() => void vi.restoreAllMocks());

type Stores = Parameters<typeof waitUntilStored>[0];
type Counts = readonly [queued: number, deadLetters: number];

/** Queues that answer one pair of counts after the other, then the last one again. */
function storesOf(counts: readonly Counts[], isLocal: boolean) {
  let requests = 0;
  const send = async ({ input }: { input: { QueueUrl: string } }) => {
    const [queued, deadLetters] = counts[Math.min(Math.floor(requests / 2), counts.length - 1)] ?? [0, 0];
    requests++;
    const [visible, hidden] = input.QueueUrl === 'events' ? [queued, 0] : [0, deadLetters];
    return { Attributes: { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: hidden } };
  };
  const names = { events_queue_url: 'events', events_dead_letter_queue_url: 'dead' };
  return {
    stores: { sqs: { send }, names, local: isLocal ? {} : null } as unknown as Stores,
    rounds: () => requests / 2,
  };
}

const none: Counts = [0, 0];
it.each<[string, readonly Counts[], boolean, boolean, number, number, Counts]>([
  ['ends at once if nothing waits', [none], true, false, 1, 0, none],
  ['goes on while batches wait', [[2, 0], [1, 0], none], true, false, 3, 100, none],
  ['leaves dead letters that nobody asked to wait for', [[0, 3]], true, false, 1, 0, [0, 3]],
  ['waits for dead letters too if asked', [[0, 3], [1, 0], none], true, true, 3, 100, none],
  [
    'asks AWS four times in a row, from the start after each batch',
    [none, [1, 0], none],
    false,
    false,
    6,
    25_000,
    none,
  ],
  ['gives up on a batch after ten minutes', [[1, 0]], false, false, 122, 605_000, [1, 0]],
])('%s', async (_, counts, isLocal, forAll, rounds, milliseconds, [queued, deadLetters]) => {
  now = 0;
  const { stores, rounds: made } = storesOf(counts, isLocal);
  expect([await waitUntilStored(stores, { forAll }), made(), now]).toEqual([
    { queued, deadLetters },
    rounds,
    milliseconds,
  ]);
});
