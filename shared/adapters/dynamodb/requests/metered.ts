import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Metering } from '../../../domain/lineage/traversal/ports.ts';

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
  const meter: Meter = { requests: 0, readUnits: 0 };
  const spent = () => ({ read_units: meter.readUnits, requests: meter.requests });
  const answer = await current.run(meter, () => work(spent));
  return { answer, cost: spent() };
};
