import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { startLeashed, stopLeashed } from './leash.ts';

export type Emulator = { readonly endpoint: string; readonly stop: () => Promise<void> };

/** Starts a DynamoDB emulator; without a file the data dies with it. */
export async function startDynamodb(file: string | null): Promise<Emulator> {
  const port = await freePort();
  const serve = ['serve', '--host', '127.0.0.1', '--port', String(port), ...(file ? ['--db-path', file] : [])];
  const child = startLeashed(binary(), serve);
  await reachable(child, port);
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => stopLeashed(child) };
}

function binary(): string {
  const chosen = process.env['DYNOXIDE_BIN'];
  if (chosen) return chosen;
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return path.join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    throw new Error(`No DynamoDB emulator for this machine: install ${name}, or set DYNOXIDE_BIN.`, { cause });
  }
}

async function reachable(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('The DynamoDB emulator ended while it started.');
    if (await connects(port)) return;
    await after(5);
  }
}

async function connects(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not listening yet.
  } finally {
    socket.destroy();
  }
}
