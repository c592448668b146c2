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
  const host = hiddenHost();
  const emulator: Address = { host, port: await freePort(0, host) };
  const [program, ...args] = dynamodbProgram(emulator, file);
  const child = startSupervised(program, args);
  await reachable(child, emulator);
  const guard = new Worker(new URL('./dynamodb-guard-thread.ts', import.meta.url), { workerData: { keys, emulator } });
  const [endpoint] = await once(guard, 'message');
  return {
    endpoint,
    innerEndpoint: `http://${host}:${emulator.port}`,
    stop: async () => {
      await guard.terminate();
      await stopSupervised(child);
    },
  };
}

/**
 * The emulator itself checks nothing, and a guard on the way of every request of the service would halve its speed. So
 * its address, which only this process knows, is one of sixteen million on loopback; macOS has only one of them.
 */
const hiddenHost = (): string =>
  process.platform === 'darwin' ? '127.0.0.1' : ['127', ...[1, 2, 3].map(() => randomInt(1, 255))].join('.');

async function reachable(child: ChildProcess, address: Address): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Fault('emulator_ended', 'The DynamoDB emulator ended while it started.');
    if (await connects(address)) return;
    await after(5);
  }
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
