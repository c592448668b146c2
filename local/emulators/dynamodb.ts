import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../shared/contract/fault.ts';
import type { AccessKeys } from './access-keys.ts';
import { type Address, dynamodbProgram } from './dynamodb-program.ts';
import { freePort } from './free-port.ts';
import { startSupervised, stopSupervised } from './supervised-process.ts';

export type Emulator = {
  /** Guarded: for whoever has the keys. */
  readonly endpoint: string;
  /** For this process alone. */
  readonly innerEndpoint: string;
  readonly stop: () => Promise<void>;
};

/** Starts a DynamoDB emulator behind a guard that takes requests signed with the keys; without a file the data dies with it. */
export async function startDynamodb(keys: AccessKeys, file: string | null): Promise<Emulator> {
  const { emulator, child } = await started(file);
  const guard = new Worker(new URL('./dynamodb-guard-thread.ts', import.meta.url), { workerData: { keys, emulator } });
  const [endpoint] = await once(guard, 'message');
  return {
    endpoint,
    innerEndpoint: `http://${emulator.host}:${emulator.port}`,
    stop: async () => {
      await guard.terminate();
      await stopSupervised(child);
    },
  };
}

type Started = { readonly emulator: Address; readonly child: ChildProcess };

/** The emulator takes its port by number, and another process may take that first: then it ends, and tries elsewhere. */
async function started(file: string | null, triesLeft = 2): Promise<Started> {
  const host = hiddenHost();
  const emulator: Address = { host, port: await freePort(0, host) };
  const [program, ...args] = dynamodbProgram(emulator, file);
  const child = startSupervised(program, args);
  if (await becomesReachable(child, emulator)) return { emulator, child };
  if (triesLeft === 0) throw new Fault('emulator_ended', 'The DynamoDB emulator ended while it started.');
  return started(file, triesLeft - 1);
}

/**
 * The emulator itself checks nothing, and a guard on the way of every request of the service would halve its speed. So
 * its address, which only this process knows, is one of sixteen million on loopback; macOS has only one of them.
 */
const hiddenHost = (): string =>
  process.platform === 'darwin' ? '127.0.0.1' : ['127', ...[1, 2, 3].map(() => randomInt(1, 255))].join('.');

/** False where it ended before. */
async function becomesReachable(child: ChildProcess, address: Address): Promise<boolean> {
  while (child.exitCode === null) {
    if (await connects(address)) return true;
    await after(5);
  }
  return false;
}

async function connects({ host, port }: Address): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not listening yet.
  } finally {
    socket.destroy();
  }
}
