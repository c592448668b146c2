import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';

/** One request to a store: its command, and what it names. */
export type StoreCall = { readonly command: string; readonly input: string };

const watching = new AsyncLocalStorage<StoreCall[]>();
const reads = new Set(['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand']);

/**
 * Lets `storeCallsOf` see what this process asks of its stores. A read that was requested before is answered from memory
 * until something is written: this process is the only one that writes. Ends with the function that it returns, because
 * the next file of tests may use the same clients.
 */
export function watchStores(): () => void {
  const known = new Map<string, Promise<unknown>>();
  // The three clients differ only in their commands.
  const stacks = ([dynamodb(), s3(), sqs()] as unknown as DynamoDBClient[]).map((client) => client.middlewareStack);
  for (const stack of stacks)
    stack.add(
      (next, { commandName: command = '' }) =>
        async (args) => {
          const input = textOf(args.input);
          watching.getStore()?.push({ command, input });
          if (!reads.has(command)) return next(args).finally(() => known.clear());
          const answer = (known.get(command + input) as ReturnType<typeof next> | undefined) ?? next(args);
          known.set(command + input, answer);
          return answer;
        },
      { step: 'initialize', name: 'storeWatch' },
    );
  return () => {
    for (const stack of stacks) stack.remove('storeWatch');
  };
}

/** What was requested of the stores on behalf of `work`, in order. */
export async function storeCallsOf<T>(work: () => Promise<T>): Promise<{ answer: T; calls: readonly StoreCall[] }> {
  const calls: StoreCall[] = [];
  return { answer: await watching.run(calls, work), calls };
}

/** Bytes and streams name nothing. */
const textOf = (input: object): string => JSON.stringify({ ...input, Body: undefined });
