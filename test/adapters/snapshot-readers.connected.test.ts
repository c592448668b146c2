import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { provideStores } from '../support/provide-stores.ts';
import { runs } from '../support/runs.ts';
import { pairs, type Statement, snapshotWorld } from '../support/snapshot-world.ts';
import { Crash } from '../support/unsteady-client.ts';

const stores = provideStores();

type Send = (command: unknown) => Promise<unknown>;

/** A client whose requests go one after the other; after each something is looked at, and after some the process ends. */
function watchedClient(client: DynamoDBClient, look: () => Promise<void>, dies: number | null = null): DynamoDBClient {
  const real: Send = client.send.bind(client) as Send;
  let [last, requests]: [Promise<unknown>, number] = [Promise.resolve(), 0];
  const one = async (command: unknown) => {
    if (dies !== null && requests >= dies) throw new Crash();
    requests++;
    const answer = await real(command);
    await look();
    return answer;
  };
  const send: Send = (command) => {
    const answer = last.then(() => one(command));
    last = answer.catch(() => undefined);
    return answer;
  };
  return { send } as unknown as DynamoDBClient;
}

const snapshot = fc.record({
  statements: fc.uniqueArray(fc.constantFrom(...pairs), { minLength: 1, maxLength: 6 }),
  wording: fc.constantFrom('1', '2'),
  columns: fc.subarray(['a', 'b', 'c'], { maxLength: 2 }),
  /** An attempt that ends after this many requests, before the one that goes through. */
  death: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
});

/** What a reader finds of one scope: edges on either side, their statements, and columns. */
async function contentOf(world: ReturnType<typeof snapshotWorld>) {
  const { out, in: into } = await world.edges(null);
  const edges = out.map((one) => one.split(' ').slice(0, 2).join(' '));
  const found = await Promise.all([world.details(edges), world.columns(null)]);
  const name = (text: string) => text.split(' ')[1] ?? '';
  return { out: edges.map(name), in: into.map(name), details: found[0].map(name), columns: found[1].map(name) };
}

function statedContent({ statements, columns }: Statement) {
  const edges = statements.map((one) => one.slice(0, 2)).sort();
  return { out: edges, in: edges, details: [...statements].sort(), columns: [...columns].sort() };
}

it.each([
  ['as changes', { share: 100, removals: 100, orders: 100, attempts: 2 }],
  ['as a whole', { share: 0, removals: 0, orders: 0, attempts: 0 }],
])('shows one complete snapshot or the next, after any requests of a load (%s) (C-DECLARED-6)', async (_, limits) => {
  await fc.assert(
    fc.asyncProperty(fc.array(snapshot, { minLength: 2, maxLength: 4 }), async (snapshots) => {
      const world = snapshotWorld(stores.client, limits);
      let before = statedContent({ scope: 'one', complete: true, statements: [], columns: [] });
      for (const { statements, wording, columns, death } of snapshots) {
        world.nextDay();
        const worded = statements.map((one) => one + wording);
        const statement = {
          scope: 'one',
          complete: true,
          statements: worded,
          columns: columns.map((one) => one + wording),
        };
        const after = statedContent(statement);
        const seen: unknown[] = [];
        const look = async () => {
          seen.push(await contentOf(world));
        };
        const load = await world.accept(statement);
        const died = death !== null && load(watchedClient(stores.client, look, death));
        if (died)
          await died.catch((error) => {
            if (!(error instanceof Crash)) throw error;
          });
        await load(watchedClient(stores.client, look));
        await look();
        const published = seen.findIndex((one) => JSON.stringify(one) === JSON.stringify(after));
        expect(seen).toEqual(seen.map((_, i) => (i < published ? before : after)));
        before = after;
      }
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});
