import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactLake } from '../../../shared/domain/events/compact/compact-lake.ts';
import { erasePerson } from '../../../shared/domain/events/erase/erase-user.ts';
import type { Person } from '../../../shared/domain/events/erase/person.ts';
import { storeBatches } from '../../../shared/domain/events/store/store-batches.ts';
import { Crash, dyingSteps, ignoreCrash, lakeWorld, origin, type Step } from './lake-world.ts';

const user = (id: string): Person => ({ column: 'user_id', id });
const atOnce: Step = async (effect) => effect();
const hour = (time: string) => new Date(`2026-11-21T${time}:00Z`);

/** Names: one is part of another, and one needs escapes in JSON. */
const users = ['u', 'u"1', 'u-1'];
const drafts = fc.array(
  fc.record({ hour: fc.constantFrom(9, 10), users: fc.array(fc.constantFrom(...users, null), { maxLength: 4 }) }),
  { minLength: 1, maxLength: 5 },
);

const batchesOf = (built: readonly { readonly hour: number; readonly users: readonly (string | null)[] }[]) =>
  built.map((draft, n) => ({
    batchId: `batch-${n}`,
    origin: origin(draft.hour),
    rows: draft.users.map((user, place) => {
      const id = `${n}-${place}`;
      return { id, line: JSON.stringify({ id, user_id: user, from: `batch-${n}`, properties: { user_id: 'u' } }) };
    }),
  }));

describe('erasing a user', () => {
  it('leaves exactly the rows of everybody else, wherever they lie and wherever a call dies', async () => {
    const death = fc.record({ step: fc.nat({ max: 12 }), tookEffect: fc.boolean() });
    const deaths = fc.array(death, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        drafts,
        deaths,
        fc.constantFrom(...users),
        async (scheduler, built, dying, removed) => {
          const world = lakeWorld();
          const sent = batchesOf(built);
          const half = Math.ceil(sent.length / 2);
          for (const batch of sent.slice(0, half)) await storeBatches(world.ports(atOnce), [batch]);
          const compact = (time: string) =>
            compactLake(world.compactPorts(atOnce), { now: hour(time), timeIsUp: () => false });
          await compact('14:00');
          for (const batch of sent.slice(half)) await storeBatches(world.ports(atOnce), [batch]);
          const expected = world.rows().filter((row) => !('user_id' in row) || row.user_id !== removed);

          for (const diesAt of dying) {
            const erasing = erasePerson(world.erasePorts(dyingSteps(scheduler)(diesAt)), user(removed)).catch(
              ignoreCrash,
            );
            await scheduler.waitFor(erasing);
          }
          await erasePerson(world.erasePorts(atOnce), user(removed));
          expect(world.rows()).toEqual(expected);
          // What is sent again has its id still, and stays away.
          for (const batch of sent) await storeBatches(world.ports(atOnce), [batch]);
          await compact('18:00');
          expect(world.rows().toSorted(byId)).toEqual(expected.toSorted(byId));
          expect(await erasePerson(world.erasePorts(atOnce), user(removed))).toEqual({ rows: 0, objects: 0 });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('erases what a run had staged before it died, so that nobody publishes it', async () => {
    const world = lakeWorld();
    const [batch] = batchesOf([{ hour: 9, users: ['u', 'u-1'] }]);
    if (batch === undefined) throw new Error('no batch');
    const ports = world.ports(atOnce);
    const killed = { ...ports, lake: { ...ports.lake, publish: () => Promise.reject(new Crash()) } };
    await storeBatches(killed, [batch]).catch(ignoreCrash);
    expect(await erasePerson(world.erasePorts(atOnce), user('u'))).toEqual({ rows: 1, objects: 1 });
    await storeBatches(ports, [batch]);
    expect(world.rows().map(({ id }) => id)).toEqual(['0-1']);
  });

  it('erases by an anonymous id what was sent before sign-in, and nothing of a user of the same id (C-ERASE-2)', async () => {
    const world = lakeWorld();
    const people = [{ anonymous_id: 'a', user_id: null }, { anonymous_id: 'a', user_id: 'u' }, { user_id: 'a' }];
    const rows = people.map((person, n) => ({ id: `${n}`, line: JSON.stringify({ id: `${n}`, ...person }) }));
    await storeBatches(world.ports(atOnce), [{ batchId: 'batch', origin: origin(9), rows }]);
    const anonymous: Person = { column: 'anonymous_id', id: 'a' };
    expect(await erasePerson(world.erasePorts(atOnce), anonymous)).toEqual({ rows: 2, objects: 1 });
    expect(world.rows().map(({ id }) => id)).toEqual(['2']);
  });

  it('is refused while somebody else works on the lake, and gives it back after a failure', async () => {
    const ports = lakeWorld().erasePorts(atOnce);
    const busy = { ...ports, lease: { take: async () => false, release: async () => {} } };
    await expect(erasePerson(busy, user('u'))).rejects.toMatchObject({ code: 'conflict' });
    let released = 0;
    const lease = { take: async () => true, release: async () => void released++ };
    // biome-ignore lint/correctness/useYield: it fails before it lists anything.
    const objects = async function* () {
      throw new Crash();
    };
    await expect(erasePerson({ ...ports, lease, objects }, user('u'))).rejects.toThrow(Crash);
    expect(released).toBe(1);
  });
});

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
