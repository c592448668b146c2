import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamodb, s3, secretsManagerClient, sqs } from '../../../shared/adapters/aws.ts';
import { directOperations } from '../../../shared/adapters/dynamodb/requests/direct-requests.ts';
import type { guardedFetch } from '../../../shared/adapters/outbound/guarded-fetch.ts';
import { systemClock } from '../../../shared/domain/base/time/timestamp.ts';
import { HostFailure } from '../../../shared/domain/codehost/code-host.ts';
import { StoreOutOfReach } from './fault.ts';

/** A process of the service in a run: its requests to the stores go through `request`, and its clock is its own. */
export type SimulatedProcess = {
  readonly now: () => Date;
  /** Sends a request, or does to it what the run has in mind. */
  readonly request: <T>(command: string, input: object, send: () => Promise<T>) => Promise<T>;
  /** Lets others work, and time pass. */
  readonly pause: () => Promise<void>;
};

const current = new AsyncLocalStorage<SimulatedProcess>();

/** Does work as a process would: all that it sends and every look at the clock are that process's. */
export const inProcess = <T>(process: SimulatedProcess, work: () => Promise<T>): Promise<T> =>
  current.run(process, work);

/** The pause of a process that waits for others, in its own time. */
export const pauseInProcess = async (): Promise<void> => current.getStore()?.pause();

/** The `fetch` of a process: what it asks other services goes through the process too, and nobody but the run answers. */
export const fetchInProcess: typeof guardedFetch =
  () =>
  async (url, init = {}) => {
    const unreachable = () => new HostFailure('unreachable');
    try {
      const pending = current
        .getStore()
        ?.request(init.method ?? 'GET', { url, ...init }, () => Promise.reject(unreachable()));
      return await (pending ?? Promise.reject(unreachable()));
    } catch (error) {
      throw error instanceof StoreOutOfReach ? unreachable() : error;
    }
  };

/**
 * Puts the simulated processes between the service's clients and its stores, beneath the retries of the SDK, so that a
 * request that is sent twice is the same request; what runs in no such process is left alone. Once a process.
 */
export function simulateProcesses(): void {
  const clients = [dynamodb(), s3(), sqs(), secretsManagerClient()];
  // They differ only in their commands.
  for (const { middlewareStack } of clients as unknown as DynamoDBClient[]) {
    // What is sent directly never comes to the last step, and is the same whenever it is sent.
    middlewareStack.add(simulated(isDirect), { step: 'initialize', name: 'simulatedDirect', override: true });
    middlewareStack.add(
      simulated((command) => !isDirect(command)),
      { step: 'finalizeRequest', priority: 'low', name: 'simulatedProcess', override: true },
    );
  }
  Object.assign(systemClock, { now: () => current.getStore()?.now() ?? new Date() });
}

const isDirect = (command: string): boolean => directOperations.has(command.replace(/Command$/, ''));

type Middleware = <A extends { readonly input: object }, O>(
  next: (args: A) => Promise<O>,
  context: { readonly commandName?: string },
) => (args: A) => Promise<O>;

const simulated =
  (isOwn: (command: string) => boolean): Middleware =>
  (next, { commandName = '' }) =>
  (args) => {
    const send = () => next(args);
    const process = isOwn(commandName) ? current.getStore() : undefined;
    return process?.request(commandName, args.input, send) ?? send();
  };
