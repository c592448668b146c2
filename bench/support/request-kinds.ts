import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Input, keysOf, kindOf } from './key-units.ts';

type Line = { readonly requests: number; readonly refused: number; readonly units: number; readonly items: number };

/** What a client's requests consume by operation and kind of key, since the last call of the returned function. */
export function countRequestKinds(client: DynamoDBClient): () => ReadonlyMap<string, Line> {
  let lines = new Map<string, Line>();
  const add = (input: Input, operation: string, units: number, refused: number) =>
    addRequest(lines, { input, operation, units, refused });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
        const operation = commandName.replace(/Command$/u, '');
        try {
          const answer = await next({ ...args, input });
          add(input as Input, operation, unitsOf(answer.output), 0);
          return answer;
        } catch (error) {
          if (error instanceof ConditionalCheckFailedException) add(input as Input, operation, 1, 1);
          throw error;
        }
      },
    { step: 'initialize', name: 'ledger' },
  );
  return () => {
    const used = lines;
    lines = new Map();
    return new Map([...used].sort(([, a], [, b]) => b.units - a.units));
  };
}

type Request = {
  readonly input: Input;
  readonly operation: string;
  readonly units: number;
  readonly refused: number;
};

/** Adds a request to the lines of the kinds of its keys, its units in equal shares. */
function addRequest(lines: Map<string, Line>, { input, operation, units, refused }: Request): void {
  const keys = keysOf(input);
  const kinds = Map.groupBy(keys, ({ pk, sk }) => kindOf(`${pk?.S ?? ''} ${sk?.S ?? ''}`));
  for (const [kind, ofKind] of kinds) {
    const name = `${operation} ${kind}`;
    const known = lines.get(name) ?? { requests: 0, refused: 0, units: 0, items: 0 };
    const share = ofKind.length / keys.length;
    lines.set(name, {
      requests: known.requests + share,
      refused: known.refused + refused,
      units: known.units + units * share,
      items: known.items + ofKind.length,
    });
  }
}

/** Capacity units of an answer, which names one table or several. */
function unitsOf(output: unknown): number {
  const { ConsumedCapacity: consumed } = output as { readonly ConsumedCapacity?: unknown };
  const all = (Array.isArray(consumed) ? consumed : [consumed]) as { readonly CapacityUnits?: number }[];
  return all.reduce((sum, one) => sum + (one?.CapacityUnits ?? 0), 0);
}
