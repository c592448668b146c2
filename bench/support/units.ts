import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Units = { readonly requests: number; readonly read_units: number; readonly write_units: number };

const reads = /^(Get|BatchGet|Query|Scan|TransactGet)/u;

/** Sums up what a client's requests consumed, since the last call of the returned function. */
export function countUnits(client: DynamoDBClient): () => Units {
  let [requests, read_units, write_units] = [0, 0, 0];
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        requests++;
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const units = unitsIn(answer.output);
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

function unitsIn(output: object): number {
  const consumed = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  const all: readonly ConsumedCapacity[] = Array.isArray(consumed) ? consumed : consumed ? [consumed] : [];
  return all.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
