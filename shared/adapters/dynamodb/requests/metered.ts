import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Metering } from '../../../domain/lineage/traversal/graph-view.ts';

type Meter = { requests: number; readUnits: number };

/** The meter of the work that is going on: requests of one process may overlap. */
const current = new AsyncLocalStorage<Meter>();

/** Has the client ask what each request consumed while something is metered. Once a client. */
export function metered(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      const meter = current.getStore();
      if (!meter) return next(args);
      const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      meter.requests++;
      for (const { CapacityUnits } of consumedIn(answer.output)) meter.readUnits += CapacityUnits ?? 0;
      return answer;
    },
    { step: 'initialize', name: 'meter', override: true },
  );
  return client;
}

function consumedIn(output: object): readonly ConsumedCapacity[] {
  const consumed = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  if (Array.isArray(consumed)) return consumed;
  return typeof consumed === 'object' && consumed !== null ? [consumed] : [];
}

/** Meters the reads of clients that are `metered`. */
export const metering: Metering = async (work) => {
  const [around, meter] = [current.getStore(), newMeter()];
  const spent = () => ({ read_units: meter.readUnits, requests: meter.requests });
  try {
    return { answer: await current.run(meter, () => work(spent)), cost: spent() };
  } finally {
    if (around) around.requests += meter.requests;
    if (around) around.readUnits += meter.readUnits;
  }
};

/** Does work that belongs to no answer. */
export const unmetered = <T>(work: () => Promise<T>): Promise<T> => current.exit(work);

const newMeter = (): Meter => ({ requests: 0, readUnits: 0 });

/** Calls `charge` with the read units of some work, whether or not it fails, and of the body that its reply streams. */
export async function chargedReading<Reply extends { readonly bytes?: unknown }>(
  work: () => Promise<Reply>,
  charge: (readUnits: number) => Promise<void>,
): Promise<Reply> {
  const meter = newMeter();
  let streamed: AsyncIterable<unknown> | null = null;
  try {
    const reply = await current.run(meter, work);
    streamed = isStream(reply.bytes) ? reply.bytes : null;
    return streamed ? { ...reply, bytes: charged(streamed, meter, charge) } : reply;
  } finally {
    if (!streamed) await charge(meter.readUnits);
  }
}

const isStream = (bytes: unknown): bytes is AsyncIterable<unknown> =>
  typeof bytes === 'object' && bytes !== null && Symbol.asyncIterator in bytes;

async function* charged(stream: AsyncIterable<unknown>, meter: Meter, charge: (readUnits: number) => Promise<void>) {
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (let next = await current.run(meter, () => chunks.next()); !next.done; ) {
      yield next.value;
      next = await current.run(meter, () => chunks.next());
    }
  } finally {
    await chunks.return?.();
    await charge(meter.readUnits);
  }
}
