import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CollectionProjectId, WorkspaceId } from '../../../shared/contract/ids.ts';
import type { LakeObject } from '../../../shared/contract/lake.ts';
import { claimEvent } from '../../../shared/domain/events/store/claim-event.ts';
import type { EventClaim, RunOutcome, StorePorts } from '../../../shared/domain/events/store/ports.ts';
import type { QueuedBatch } from '../../../shared/domain/events/store/rows.ts';
import { storeBatches } from '../../../shared/domain/events/store/store-batches.ts';

class Crash extends Error {}

/** A step of a run: it may wait, die before it takes effect, or die after it with its answer lost. */
type Step = <T>(effect: () => T) => Promise<T>;

const nameOf = ({ partition, runId }: LakeObject) => `${partition}/${runId}`;

function world() {
  const claims = new Map<string, EventClaim>();
  const runs = new Map<string, RunOutcome>();
  const staged = new Map<string, Uint8Array>();
  const published = new Map<string, string>();
  const claimants: string[] = [];
  let count = 0;
  const ports = (step: Step): StorePorts => ({
    newRunId: () => `run-${count++}`,
    ledger: {
      claim: ({ id }, claim) =>
        step(() => {
          const existing = claims.get(id);
          if (existing) return existing;
          claims.set(id, claim);
          claimants.push(`${id} ${claim.batchId}`);
          return null;
        }),
      moveClaim: ({ id }, from, runId) =>
        step(() => {
          const existing = claims.get(id);
          if (existing?.batchId !== from.batchId || existing.runId !== from.runId) return existing ?? from;
          claims.set(id, { batchId: from.batchId, runId });
          return null;
        }),
      settleRun: (runId, outcome) =>
        step(() => {
          const existing = runs.get(runId) ?? outcome;
          runs.set(runId, existing);
          return existing;
        }),
    },
    lake: {
      stage: (object, bytes) => step(() => void staged.set(nameOf(object), bytes)),
      staged: (object) => step(() => staged.get(nameOf(object)) ?? null),
      unstage: (object) => step(() => void staged.delete(nameOf(object))),
      publish: (object, bytes) =>
        step(() => {
          const text = gunzipSync(bytes).toString();
          // What a reader has seen once stays as it is.
          expect(published.get(nameOf(object)) ?? text).toBe(text);
          published.set(nameOf(object), text);
        }),
    },
  });
  const rows = (): { id: string; from: string }[] =>
    [...published.values()].flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  return { ports, rows, claimants };
}

const origin = (hour: number) => ({
  workspace_id: v.parse(WorkspaceId, 'ws'),
  project_id: v.parse(CollectionProjectId, 'shop'),
  environment: 'prod',
  received_at: `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`,
  request_id: 'r',
  trusted: false,
});

/** Batches over few ids, so that they contend; each row says which batch and place it is from. */
const batches = fc
  .array(
    fc.record({
      hour: fc.constantFrom(9, 10),
      ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((drafts): QueuedBatch[] =>
    drafts.map(({ hour, ids }, n) => ({
      batchId: `batch-${n}`,
      origin: origin(hour),
      rows: ids.map((id, place) => ({ id, line: JSON.stringify({ id, from: `batch-${n}`, place }) })),
    })),
  );

/** Runs over any of the batches, repeated or not, some of which die after so many steps. */
const runs = fc.array(
  fc.record({
    picks: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
    diesAt: fc.option(fc.record({ step: fc.nat({ max: 14 }), tookEffect: fc.boolean() })),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('storing batches', () => {
  it('stores each id once, with the value claimed first, however runs repeat, overlap and die (C-LAKE-1)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), batches, runs, async (scheduler, sent, plan) => {
        const { ports, rows, claimants } = world();
        const step = (diesAt: { step: number; tookEffect: boolean } | null): Step => {
          let steps = 0;
          return async (effect) => {
            await scheduler.schedule(Promise.resolve());
            const at = steps++;
            if (diesAt !== null && (at > diesAt.step || (at === diesAt.step && !diesAt.tookEffect))) throw new Crash();
            const result = effect();
            await scheduler.schedule(Promise.resolve());
            if (diesAt !== null && at === diesAt.step) throw new Crash();
            return result;
          };
        };
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

  it('publishes what a run had committed to before it died, without a second claim of its rows', async () => {
    const { ports, rows } = world();
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

  it('takes its own claim for its own, where the answer to the first write was lost', async () => {
    const ledger = { claim: async (_: unknown, claim: EventClaim) => claim, moveClaim: never, settleRun: never };
    const verdict = await claimEvent({ ledger, abandon: never }, { key, occurrences: [of('batch-0')] }, 'run-0');
    expect(verdict).toEqual({ kind: 'won', occurrence: of('batch-0') });
  });

  it('keeps to the batch whose claim it moved, where the answer to the move was lost', async () => {
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

function ignoreCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

const firstPlace = (sent: readonly QueuedBatch[], row: { id: string; from: string }) =>
  sent.find(({ batchId }) => batchId === row.from)?.rows.findIndex(({ id }) => id === row.id);
