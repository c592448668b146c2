import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect } from 'vitest';
import { CollectionProjectId, runIdAt, WorkspaceId } from '../../../shared/contract/ids.ts';
import {
  type CompactedObject,
  compactedObjectKey,
  compactedObjectOf,
  type LakeObject,
  lakeObjectKey,
  lakeObjectOf,
  stagingPrefix,
  storedObjectKey,
} from '../../../shared/contract/lake.ts';
import { type CompactPorts, currentObjects } from '../../../shared/domain/events/compact/compact-lake.ts';
import type { ErasePorts } from '../../../shared/domain/events/erase/erase-user.ts';
import type {
  EventClaim,
  QueuedBatch,
  RunOutcome,
  StorePorts,
} from '../../../shared/domain/events/store/store-batches.ts';

export class Crash extends Error {}
export class Busy extends Error {}

/** A step of a run: it may wait, die before it takes effect, or die after it with its answer lost. */
export type Step = <T>(effect: () => T) => Promise<T>;

type Row = { readonly id: string; readonly from: string };

/** A ledger and a lake in memory, whose ports take a step for each of their requests. */
export function lakeWorld() {
  const claims = new Map<string, EventClaim>();
  const runs = new Map<string, RunOutcome>();
  const staged = new Map<string, Uint8Array>();
  const objects = new Map<string, Uint8Array>();
  const published: (readonly [string, Uint8Array])[] = [];
  const claimants: string[] = [];
  const clock = { now: new Date('2026-11-21T10:30:00Z') };
  let count = 0;
  const ledger = (step: Step): StorePorts['ledger'] => ({
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
  });
  const lake = (step: Step): StorePorts['lake'] => ({
    stage: (object, bytes) => step(() => void staged.set(lakeObjectKey(object), bytes)),
    staged: (object) => step(() => staged.get(lakeObjectKey(object)) ?? null),
    unstage: (object) => step(() => void staged.delete(lakeObjectKey(object))),
    publish: (object, bytes) =>
      step(() => {
        const key = lakeObjectKey(object);
        // What a reader has seen once stays as it is.
        expect(textOf(key, objects.get(key) ?? bytes)).toBe(textOf(key, bytes));
        objects.set(key, bytes);
        published.push([key, bytes]);
      }),
  });
  const ports = (step: Step): StorePorts => ({
    newRunId: () => runIdAt(clock.now, `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`),
    waitOut: async (error) => error instanceof Busy,
    ledger: ledger(step),
    lake: lake(step),
  });
  const compactPorts = (step: Step): CompactPorts => ({
    ledger: ledger(step),
    lake: {
      ...lake(step),
      stagedObjects: () => listed(step, () => [...staged.keys()].sort().map(objectOf)),
      runObjects: () => listed(step, () => runObjects(objects)),
      compactedIn: (partition) =>
        step(() => compactedObjects(objects).filter((object) => object.partition === partition)),
      readRun: (object) => step(() => objects.get(lakeObjectKey(object)) ?? null),
      removeRun: (object) => step(() => void objects.delete(lakeObjectKey(object))),
      writeCompacted: (object, bytes) => step(() => void objects.set(compactedObjectKey(object), bytes)),
    },
    onPartitionFailed: (_, error) => {
      throw error;
    },
  });
  const erasePorts = (step: Step): ErasePorts => ({
    clock: { now: () => clock.now },
    lease: { take: async () => true, release: async () => {} },
    objects: async function* () {
      for (const [key, object] of [
        ...[...staged.keys()].map((one) => [`${stagingPrefix}${one}`, objectOf(one)] as const),
        ...runObjects(objects).map((one) => [lakeObjectKey(one), one] as const),
        ...compactedObjects(objects).map((one) => [compactedObjectKey(one), one] as const),
      ])
        yield { key, object };
    },
    read: (key) => step(() => placeOf(key).get(key.replace(stagingPrefix, '')) ?? null),
    write: ({ key }, bytes) => step(() => void placeOf(key).set(key.replace(stagingPrefix, ''), bytes)),
  });
  const placeOf = (key: string) => (key.startsWith(stagingPrefix) ? staged : objects);
  const rowsOf = (keys: readonly string[]): readonly Row[] =>
    keys.flatMap((key) => {
      const bytes = objects.get(key);
      return bytes === undefined
        ? []
        : textOf(key, bytes)
            .trim()
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line));
    });
  /** What a reader sees that lists and reads at one moment. */
  const rows = () => rowsOf(current([...runObjects(objects), ...compactedObjects(objects)]));
  /** The same for one who takes a step for each request, and lists again where an object is gone. */
  const readRows = async (step: Step): Promise<readonly Row[]> => {
    for (;;) {
      const found = await step(() => runObjects(objects));
      const keys = current([...found, ...(await step(() => compactedObjects(objects)))]);
      const read: (readonly Row[] | null)[] = [];
      for (const key of keys) read.push(await step(() => (objects.has(key) ? rowsOf([key]) : null)));
      if (!read.includes(null)) return read.flatMap((one) => one ?? []);
    }
  };
  return { ports, compactPorts, erasePorts, rows, readRows, claimants, clock, objects, published };
}

const textOf = (key: string, bytes: Uint8Array): string =>
  (key.endsWith('.gz') ? gunzipSync(bytes) : zstdDecompressSync(bytes)).toString();

function objectOf(key: string): LakeObject {
  const object = lakeObjectOf(key);
  if (object === null) throw new Error('a key is none of the lake');
  return object;
}

const runObjects = (objects: ReadonlyMap<string, unknown>): readonly LakeObject[] =>
  [...objects.keys()].sort().flatMap((key) => lakeObjectOf(key) ?? []);

const compactedObjects = (objects: ReadonlyMap<string, unknown>): readonly CompactedObject[] =>
  [...objects.keys()].flatMap((key) => compactedObjectOf(key) ?? []);

const current = (objects: Parameters<typeof currentObjects>[0]): readonly string[] =>
  currentObjects(objects).map(storedObjectKey);

async function* listed<T>(step: Step, list: () => readonly T[]): AsyncGenerator<T> {
  yield* await step(list);
}

export const origin = (hour: number) => ({
  workspace_id: v.parse(WorkspaceId, 'ws'),
  project_id: v.parse(CollectionProjectId, 'shop'),
  environment: 'prod',
  received_at: `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`,
  request_id: 'r',
  trusted: false,
});

/** Batches over few ids, so that they contend; each row says which batch and place it is from. */
export const batches = fc
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

/** Runs over any batches, repeated or not. Some die after this many steps. */
export const runs = fc.array(
  fc.record({
    picks: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
    diesAt: fc.option(fc.record({ step: fc.nat({ max: 14 }), tookEffect: fc.boolean() })),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Steps that wait for their turn; from one of them on, before or after it has taken effect, the process is dead. */
export const dyingSteps =
  (scheduler: fc.Scheduler) =>
  (diesAt: { readonly step: number; readonly tookEffect: boolean } | null): Step => {
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

export function ignoreCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}
