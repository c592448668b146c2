import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pruneDeadOrders } from '../../shared/domain/operations/sweep/prune-dead-orders.ts';
import { provideStores } from '../support/provide-stores.ts';
import { runs } from '../support/runs.ts';
import { daysAfter, pairs, type Statement, scopeNamed, scopeNames, snapshotWorld } from '../support/snapshot-world.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

/** Nearly always a change; from time to time a whole again, by each of the limits. */
const limits = { share: 3, removals: 4, orders: 3, attempts: 2 };

/** What a scope says as the model has it: the wording of each statement, and every list of columns. */
type Content = { readonly statements: Map<string, string>; readonly columns: Set<string> };

/** One step of a history: a few toggles of its scope's previous statements. */
const change = fc.record({
  kind: fc.constant('snapshot' as const),
  scope: fc.constantFrom('one', 'one', 'one', 'two'),
  complete: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  toggled: fc.uniqueArray(fc.constantFrom(...pairs), { maxLength: 2 }),
  reworded: fc.option(fc.constantFrom(...pairs), { nil: null }),
  columns: fc.option(fc.constantFrom('a1', 'a2', 'b1', 'a', 'b'), { nil: null }),
  death: fc.option(fc.record({ at: fc.nat(20), when: fc.constantFrom('before' as const, 'after' as const) }), {
    nil: null,
  }),
  redelivered: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('run' as const), pair: fc.constantFrom(...pairs) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), dies: fc.option(fc.nat(20), { nil: null }) }),
  },
);

/** The oracle: what each scope says after each step, and what was observed. */
function model() {
  const scopes = new Map<string, Content>(scopeNames.map((name) => [name, emptyContent()]));
  /** Who sends a snapshot knows what he sent before, and nothing of partial deliveries. */
  const sent = new Map<string, Content>(scopeNames.map((name) => [name, emptyContent()]));
  const observed = new Map<string, number>();
  return {
    /** What the delivery of a change says. */
    saidBy: ({ scope, complete, toggled, reworded, columns }: Change, day: number): Statement => {
      const { statements: known, columns: stated } = sent.get(scope) ?? emptyContent();
      const statements = new Map(complete ? known : []);
      for (const pair of toggled) {
        if (!statements.delete(pair)) statements.set(pair, `${pair}${day}`);
      }
      if (reworded !== null && statements.has(reworded)) statements.set(reworded, `${reworded}${day}`);
      const described = new Map((complete ? [...stated] : []).map((one) => [one.charAt(0), one]));
      if (columns?.length === 1) described.delete(columns);
      else if (columns !== null) described.set(columns.charAt(0), columns);
      return { scope, complete, statements: [...statements.values()], columns: [...described.values()] };
    },
    take: ({ scope, complete, statements, columns }: Statement) => {
      const before = complete ? emptyContent() : (scopes.get(scope) ?? emptyContent());
      for (const one of statements) before.statements.set(one.slice(0, 2), one);
      for (const one of columns) before.columns.add(one);
      scopes.set(scope, before);
      if (complete) sent.set(scope, { statements: new Map(before.statements), columns: new Set(before.columns) });
    },
    observe: (pair: string, day: number) => observed.set(pair, day),
    now: () => ({
      edges: [
        ...[...scopes].flatMap(([name, { statements }]) =>
          [...statements.keys()].map((pair) => `${scopeNamed(name)} ${pair}`),
        ),
        ...[...observed.keys()].map((pair) => `${scopeNamed('job')} ${pair}`),
      ].sort(),
      details: [...scopes]
        .flatMap(([name, { statements }]) => [...statements.values()].map((one) => `${scopeNamed(name)} ${one}`))
        .sort(),
      columns: [...scopes]
        .flatMap(([name, { columns }]) => [...columns].map((one) => `${scopeNamed(name)} ${one}`))
        .sort(),
    }),
  };
}

const emptyContent = (): Content => ({ statements: new Map(), columns: new Set() });

const swept = (world: ReturnType<typeof snapshotWorld>, now: Date, client = stores.client) =>
  pruneDeadOrders(world.ports(client), {
    now,
    timeIsUp: () => false,
    onOrderFailed: (_, error) => {
      throw error;
    },
  });
const withoutTimes = (claims: readonly string[]) => claims.map((claim) => claim.split(' ').slice(0, 2).join(' '));

it('answers of every day what snapshots that change a little, partial deliveries and runs said by then, however loads and sweeps die (C-DECLARED-6, C-DECLARED-7, C-READ-4)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), fc.scheduler(), async (steps, scheduler) => {
      const world = snapshotWorld(stores.client, limits);
      const oracle = model();
      const days = new Map<number, ReturnType<typeof oracle.now>>();
      const dying = (at: number | undefined, when: 'before' | 'after') =>
        unsteadyClient(stores.client, scheduler, (request) => (request === at ? when : null));
      const sweep = (client = stores.client) => swept(world, daysAfter(world.today()), client);
      const survive = (work: Promise<unknown>) =>
        scheduler.waitFor(
          work.catch((error) => {
            if (!(error instanceof Crash)) throw error;
          }),
        );
      for (const one of steps) {
        const day = world.nextDay();
        if (one.kind === 'sweep') {
          if (one.dies !== null) await survive(sweep(dying(one.dies, 'after')));
          else await sweep();
        } else if (one.kind === 'run') {
          await world.observe(one.pair);
          oracle.observe(one.pair, day);
        } else {
          const statement = oracle.saidBy(one, day);
          const load = await world.accept(statement);
          if (one.death) await survive(load(dying(one.death.at, one.death.when)));
          await load();
          if (one.redelivered) await load();
          oracle.take(statement);
        }
        days.set(day, oracle.now());
        await expectAnswers(world, null, oracle.now());
      }
      await sweep();
      await expectAnswers(world, null, oracle.now());
      for (const [day, then] of days) await expectAnswers(world, daysAfter(day).toISOString(), then);
      await expectStored(world);
      await swept(world, daysAfter(world.today() + 91));
      await expectStored(world);
      await expectAnswers(world, null, oracle.now());
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
}, 240_000);

it('finds the statements before a newer order replaced them, and forgets them with their order (C-READ-4)', async () => {
  const world = snapshotWorld(stores.client, limits);
  const words = ['ab1 bc1', 'ab2', 'ab3 bc3', 'ab4 bc4', 'ab5 bc5', 'ab6 bc6', 'ab7'];
  for (const statement of words) {
    world.nextDay();
    const about = { scope: 'one', complete: statement.includes(' '), columns: [] };
    await (await world.accept({ ...about, statements: statement.split(' ') }))();
  }
  const scope = scopeNamed('one');
  const statementOn = (day: number) => world.saidAt(daysAfter(day).toISOString(), [`${scope} ab`, `${scope} bc`]);
  const then = ['ab1 bc1', 'ab2 bc1', ...words.slice(2, 6), 'ab7 bc6'].map((statement) =>
    statement.split(' ').map((one) => `${scope} ${one}`),
  );
  const expectThen = async () => expect(await Promise.all(words.map((_, i) => statementOn(i + 1)))).toEqual(then);
  await expectThen();
  const before = await world.orders('one');
  expect(before.kept).toEqual(before.recorded);
  await swept(world, daysAfter(world.today()));
  await expectThen();
  await swept(world, daysAfter(world.today() + 91));
  const after = await world.orders('one');
  expect(after.kept).toEqual(after.recorded);
  expect(after.kept.length).toBeLessThan(before.kept.length);
});

it('finds what a partial delivery said, also where history joined its claims to those before (C-READ-4)', async () => {
  const world = snapshotWorld(stores.client, limits);
  const words = ['da1 ab1', 'ab2', 'da1 ab1', 'da2 ab1', 'da3 ab1', 'da4 ab1', 'da5 ab1', 'da6 ab1'];
  for (const statement of words) {
    world.nextDay();
    const about = { scope: 'one', complete: statement.includes(' '), columns: [] };
    await (await world.accept({ ...about, statements: statement.split(' ') }))();
  }
  await swept(world, daysAfter(world.today()));
  const scope = scopeNamed('one');
  const statementOn = (day: number) => world.saidAt(daysAfter(day).toISOString(), [`${scope} ab`]);
  expect(await Promise.all(words.map((_, i) => statementOn(i + 1)))).toEqual(
    words.map((statement) => [`${scope} ${statement.includes(' ') ? 'ab1' : 'ab2'}`]),
  );
});

it('removes concurrent claims of another load, in either order (C-DECLARED-7, C-DECLARED-8)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.scheduler(), async (complete, scheduler) => {
      const world = snapshotWorld(stores.client, limits);
      const statement = { scope: 'one', complete: true, statements: ['ab1', 'bc1'], columns: ['a1'] };
      world.nextDay();
      await (await world.accept(statement))();
      const other = await world.accept({ ...statement, complete, statements: ['ab2', 'ca1'], columns: ['b1'] });
      const newer = await world.accept({ ...statement, statements: ['ab1'] });
      const worker = () => unsteadyClient(stores.client, scheduler, () => null);
      await scheduler.waitFor(Promise.all([other(worker()), newer(worker())]));
      const scope = scopeNamed('one');
      const answers = { edges: [`${scope} ab`], details: [`${scope} ab1`], columns: [`${scope} a1`] };
      await expectAnswers(world, null, answers);
    }),
    { numRuns: runs(4), endOnFailure: true },
  );
}, 240_000);

type Expected = ReturnType<ReturnType<typeof model>['now']>;

async function expectAnswers(
  world: ReturnType<typeof snapshotWorld>,
  asOf: string | null,
  { edges, columns, details }: Expected,
): Promise<void> {
  const [found, stated] = await Promise.all([world.edges(asOf), world.columns(asOf)]);
  expect({ asOf, out: withoutTimes(found.out), in: withoutTimes(found.in), columns: stated }).toEqual({
    asOf,
    out: edges,
    in: edges,
    columns,
  });
  // The store returns the newest past statement; older ones are in the stored orders.
  const statement = asOf === null ? await world.details(edges) : await world.saidAt(asOf, declared(edges));
  expect(statement).toEqual(details);
}

const declared = (edges: readonly string[]) => edges.filter((edge) => !edge.startsWith(scopeNamed('job')));

/** What an order states is kept as long as its record, and no longer. */
async function expectStored(world: ReturnType<typeof snapshotWorld>): Promise<void> {
  for (const name of scopeNames) {
    const { recorded, kept } = await world.orders(name);
    expect(recorded).toEqual(expect.arrayContaining(kept));
    expect(kept.at(-1)).toBe(recorded.at(-1));
  }
}
