import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claimEvent,
  type EventClaim,
  type QueuedBatch,
  storeBatches,
} from '../../../shared/domain/events/store/store-batches.ts';
import { Busy, batches, Crash, dyingSteps, ignoreCrash, lakeWorld, origin, runs } from './lake-world.ts';

describe('storing batches', () => {
  it('stores each id once, with the value claimed first, however runs repeat, overlap and die (C-LAKE-1)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), batches, runs, async (scheduler, sent, plan) => {
        const { ports, rows, claimants } = lakeWorld();
        const step = dyingSteps(scheduler);
        const planned = plan.map(({ picks, diesAt }) =>
          storeBatches(
            ports(step(diesAt)),
            picks.flatMap((pick) => sent[pick % sent.length] ?? []),
          ).catch(ignoreCrash),
        );
        // The queue delivers each batch until a run has survived it.
        const delivered = sent.map((batch) => storeBatches(ports(step(null)), [batch]));
        await scheduler.waitFor(Promise.all([...planned, ...delivered]));

        const ids = new Set(sent.flatMap((batch) => batch.rows.map(({ id }) => id)));
        const stored = rows();
        expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort());
        expect(stored.map(({ id, from }) => `${id} ${from}`).sort()).toEqual(claimants.sort());
        for (const row of stored) expect(row).toMatchObject({ place: firstPlace(sent, row) });
      }),
      { numRuns: 600 },
    );
  });

  it('stores each id once however busy the ledger is and however soon the time ends, and counts each once', async () => {
    const busy = fc.infiniteStream(fc.boolean());
    const times = fc.infiniteStream(fc.nat({ max: 6 }));
    await fc.assert(
      fc.asyncProperty(batches, busy, times, async (sent, refused, checks) => {
        const { ports, rows, claimants } = lakeWorld();
        const steps = ports(async (effect) => {
          if (refused.next().value) throw new Busy();
          return effect();
        });
        // The lake and the end of a run are not the ledger's claims: only those are waited out here.
        const steady = ports(async (effect) => effect());
        const ledger = { ...steps.ledger, settleRun: steady.ledger.settleRun };
        const all = { ...steady, ledger, newRunId: steady.newRunId };
        let [waiting, accepted] = [sent, 0];
        while (waiting.length > 0) {
          let left = Number(checks.next().value);
          const { counts, unfinished } = await storeBatches(all, waiting, () => left-- <= 0);
          accepted += counts.reduce((sum, one) => sum + one.accepted, 0);
          waiting = waiting.filter(({ batchId }) => unfinished.has(batchId));
        }
        const ids = [...new Set(sent.flatMap((batch) => batch.rows.map(({ id }) => id)))];
        const stored = rows();
        expect(stored.map(({ id }) => id).sort()).toEqual(ids.sort());
        expect(stored.map(({ id, from }) => `${id} ${from}`).sort()).toEqual(claimants.sort());
        expect(accepted).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });

  it('begins no claim once the time is up, and names every batch that it left', async () => {
    const { ports, claimants } = lakeWorld();
    const sent = fc.sample(batches, { numRuns: 1, seed: 2 })[0] ?? [];
    const steady = ports(async (effect) => effect());
    const { unfinished, counts } = await storeBatches(steady, sent, () => true);
    expect([...unfinished].sort()).toEqual(sent.map(({ batchId }) => batchId).sort());
    expect([claimants, counts.filter(({ accepted, repeated }) => accepted + repeated > 0)]).toEqual([[], []]);
  });

  it('fails at once if the ledger fails for another reason', async () => {
    const { ports } = lakeWorld();
    const sent = fc.sample(batches, { numRuns: 1, seed: 3 })[0] ?? [];
    const crashing = ports(() => Promise.reject(new Crash()));
    await expect(storeBatches(crashing, sent)).rejects.toThrow(Crash);
  });

  it('publishes what a run had committed to before it died, without a second claim of its rows', async () => {
    const { ports, rows } = lakeWorld();
    const [batch] = fc.sample(batches, { numRuns: 1, seed: 1 })[0] ?? [];
    if (batch === undefined) throw new Error('no batch');
    const dying = ports(async (effect) => effect());
    const killed = { ...dying, lake: { ...dying.lake, publish: () => Promise.reject(new Crash()) } };
    await expect(storeBatches(killed, [batch])).rejects.toThrow(Crash);
    expect(rows()).toEqual([]);
    await storeBatches(dying, [batch]);
    await storeBatches(dying, [batch]);
    expect(
      rows()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...new Set(batch.rows.map(({ id }) => id))].sort());
  });
});

describe('claiming an event id', () => {
  const of = (batchId: string) => ({ batchId, partition: 'p', receivedAt: origin(9).received_at, line: '{}' });
  const key = { ...origin(9), id: 'a' };
  const never = () => Promise.reject(new Error('not to be called'));

  it('takes its own claim for its own, if the answer to the first write was lost', async () => {
    const ledger = { claim: async (_: unknown, claim: EventClaim) => claim, moveClaim: never, settleRun: never };
    const verdict = await claimEvent({ ledger, abandon: never }, { key, occurrences: [of('batch-0')] }, 'run-0');
    expect(verdict).toEqual({ kind: 'won', occurrence: of('batch-0') });
  });

  it('keeps to the batch whose claim it moved, if the answer to the move was lost', async () => {
    const ledger = {
      claim: async () => ({ batchId: 'batch-1', runId: 'dead' }),
      moveClaim: async (_: unknown, { batchId }: EventClaim, runId: string) => ({ batchId, runId }),
      settleRun: never,
    };
    const contest = { key, occurrences: [of('batch-0'), of('batch-1')] as const };
    const verdict = await claimEvent({ ledger, abandon: async () => 'abandoned' as const }, contest, 'run-0');
    expect(verdict).toEqual({ kind: 'won', occurrence: of('batch-1') });
  });
});

const firstPlace = (sent: readonly QueuedBatch[], row: { id: string; from: string }) =>
  sent.find(({ batchId }) => batchId === row.from)?.rows.findIndex(({ id }) => id === row.id);
