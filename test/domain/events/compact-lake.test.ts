import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lakeObjectKey, lakeObjectOf } from '../../../shared/contract/lake.ts';
import { compactLake } from '../../../shared/domain/events/compact/compact-lake.ts';
import { storeBatches } from '../../../shared/domain/events/store/store-batches.ts';
import { batches, dyingSteps, ignoreCrash, lakeWorld, origin, runs, type Step } from './lake-world.ts';

const always = { timeIsUp: () => false };
const hour = (time: string) => new Date(`2026-11-21T${time}:00Z`);
const death = fc.option(fc.record({ step: fc.nat({ max: 20 }), tookEffect: fc.boolean() }));
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
const atOnce: Step = async (effect) => effect();

describe('compacting the lake', () => {
  it('shows each row to every reader once, while runs repeat, overlap and die at any step (C-LAKE-1, C-LAKE-5)', async () => {
    const calls = fc.array(death, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), batches, runs, calls, fc.nat(), async (scheduler, sent, plan, deaths, late) => {
        const world = lakeWorld();
        const step = dyingSteps(scheduler);
        const store = (picks: readonly number[], steps: Step) =>
          storeBatches(
            world.ports(steps),
            picks.flatMap((pick) => sent[pick % sent.length] ?? []),
          ).catch(ignoreCrash);
        for (const time of ['10:30', '13:55']) {
          world.clock.now = hour(time);
          await scheduler.waitFor(Promise.all(plan.map(({ picks, diesAt }) => store(picks, step(diesAt)))));
        }

        // What was not finished comes again, while some compact that do not know of each other: for the first of them
        // the last runs may still live.
        world.clock.now = hour('14:05');
        const before = idsOf(world.rows());
        const redelivered = sent.map((_, index) => store([index], step(null)));
        const [key, bytes] = world.published[late % Math.max(1, world.published.length)] ?? [];
        const compacting = deaths.map((diesAt, index) =>
          compactLake(world.compactPorts(step(diesAt)), { ...always, now: hour(`14:${9 + 2 * index}`) }).catch(
            ignoreCrash,
          ),
        );
        const reading = [0, 1].map(() => world.readRows(step(null)));
        // A request of a dead run that arrives at last.
        const lateRequest = step(null)(() => key && bytes && world.objects.set(key, bytes));
        await scheduler.waitFor(Promise.all([...redelivered, ...compacting, lateRequest, ...reading]));
        for (const rows of await Promise.all(reading)) {
          expect(idsOf(rows)).toEqual([...new Set(idsOf(rows))]);
          expect(idsOf(rows)).toEqual(expect.arrayContaining(before));
        }

        const ids = [...new Set(sent.flatMap((batch) => batch.rows.map(({ id }) => id)))].sort();
        const stored = world.rows();
        expect(idsOf(stored)).toEqual(ids);
        expect(stored.map(({ id, from }) => `${id} ${from}`).sort()).toEqual([...world.claimants].sort());
        await compactLake(world.compactPorts(atOnce), { ...always, now: hour('15:30') });
        expect(
          world
            .rows()
            .map(({ id, from }) => `${id} ${from}`)
            .sort(),
        ).toEqual([...world.claimants].sort());
        expect(runKeys(world)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  const batch = (id: string, of: number) => ({
    batchId: id,
    origin: origin(of),
    rows: [{ id, line: JSON.stringify({ id, from: id, place: 0 }) }],
  });
  const runKeys = ({ objects }: ReturnType<typeof lakeWorld>) =>
    [...objects.keys()].filter((key) => lakeObjectOf(key) !== null);

  it('does not compact an hour until followers have seen it, or objects that a run may still write', async () => {
    const world = lakeWorld();
    await storeBatches(world.ports(atOnce), [batch('a', 9)]);
    const compact = (now: Date) => compactLake(world.compactPorts(atOnce), { ...always, now });
    expect((await compact(hour('12:14'))).runs).toBe(0);
    const [before] = runKeys(world);
    world.clock.now = hour('13:20');
    await storeBatches(world.ports(atOnce), [batch('b', 9)]);
    expect(await compact(hour('13:30'))).toEqual({ settled: 0, runs: 1, objects: 1, failed: 0 });
    expect(runKeys(world)).toHaveLength(1);
    expect(runKeys(world)).not.toContain(before);
    expect(idsOf(world.rows())).toEqual(['a', 'b']);
  });

  it('names no object by runs if one of them was moved meanwhile', async () => {
    const world = lakeWorld();
    for (const id of ['a', 'b', 'c']) await storeBatches(world.ports(atOnce), [batch(id, 9)]);
    const ports = world.compactPorts(atOnce);
    const removed = runKeys(world)[1];
    const readRun: typeof ports.lake.readRun = async (run) =>
      lakeObjectKey(run) === removed ? null : ports.lake.readRun(run);
    const { objects } = await compactLake(
      { ...ports, lake: { ...ports.lake, readRun } },
      { ...always, now: hour('15:00') },
    );
    expect([objects, runKeys(world).length]).toEqual([0, 3]);
  });

  it('ends when its time is up, and goes on where it ended', async () => {
    const world = lakeWorld();
    await storeBatches(world.ports(atOnce), [batch('a', 9), batch('b', 10)]);
    let checks = 2;
    const now = hour('15:00');
    const compact = (timeIsUp: () => boolean) => compactLake(world.compactPorts(atOnce), { now, timeIsUp });
    expect((await compact(() => checks-- <= 0)).objects).toBe(1);
    expect(idsOf(world.rows())).toEqual(['a', 'b']);
    expect((await compact(() => false)).objects).toBe(1);
    expect([idsOf(world.rows()), runKeys(world)]).toEqual([['a', 'b'], []]);
  });

  it('never takes a run whose id has no time for one that it has moved', async () => {
    const world = lakeWorld();
    const old = { ...world.ports(atOnce), newRunId: () => '01900000-0000-4000-8000-000000000000' };
    await storeBatches(old, [batch('old', 9)]);
    for (const [id, time] of [
      ['a', '10:00'],
      ['b', '10:01'],
    ] as const) {
      world.clock.now = time === '10:00' ? new Date(0) : hour(time);
      await storeBatches(world.ports(atOnce), [batch(id, 9)]);
    }
    await compactLake(world.compactPorts(atOnce), { ...always, now: hour('15:00') });
    expect(idsOf(world.rows())).toEqual(['a', 'b', 'old']);
    expect(runKeys(world)).toHaveLength(1);
  });
});
