import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Units = { readonly requests: number; readonly read_units: number; readonly write_units: number };

export const reads = /^(Get|BatchGet|Query|Scan|TransactGet)/u;

/** Sums up what a client's requests consumed, since the last call of the returned function. */
export function countUnits(client: DynamoDBClient): () => Units {
  let [requests, read_units, write_units] = [0, 0, 0];
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        requests++;
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const units = unitsOf(consumedIn(answer.output));
        if (reads.test(commandName)) read_units += units;
        else write_units += units;
        return answer;
      },
    { step: 'initialize', name: 'units' },
  );
  return () => {
    const used = { requests, read_units, write_units };
    [requests, read_units, write_units] = [0, 0, 0];
    return used;
  };
}

/** What a response says that its request consumed, by tables. */
export function consumedIn(output: object): readonly ConsumedCapacity[] {
  const consumed = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  return Array.isArray(consumed) ? consumed : consumed ? [consumed] : [];
}

export const unitsOf = (consumed: readonly ConsumedCapacity[]): number =>
  consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
