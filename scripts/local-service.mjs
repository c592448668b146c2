// A local service of its own for as long as some work takes: nothing of it stays.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const root = path.resolve(import.meta.dirname, '..');
export const node = path.join(root, 'node_modules', '.bin', 'node');

/** Calls `work` with the credentials file of a service that is seeded for conformance, and answers what it answers. */
export async function withLocalService(work) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const credentials = path.join(scratch, 'credentials.json');
  const options = ['--port', '0', '--in-memory', '--seed', 'conformance', '--credentials', credentials];
  const main = path.join(root, 'local', 'main.ts');
  const service = spawn(node, [main, ...options], { cwd: root, stdio: ['ignore', 2, 2] });
  try {
    await ready(service, credentials);
    return await work(credentials);
  } finally {
    await stop(service);
    rmSync(scratch, { recursive: true });
  }
}

/** Runs a Node program against the service; answers its exit status and, where `output` is piped, what it printed. */
export function runAgainst(credentials, args, output = 'inherit') {
  const env = { ...process.env, TRIBUTARY_CREDENTIALS: credentials, TRIBUTARY_PROJECT: root };
  const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', output, 'inherit'] });
  const printed = [];
  child.stdout?.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) =>
    child.on('close', (status) => resolve({ status: status ?? 1, printed: Buffer.concat(printed).toString() })),
  );
}

async function ready(service, credentials) {
  for (let waited = 0; !existsSync(credentials); waited += 100) {
    if (service.exitCode !== null || waited > 120_000) throw new Error('The local service did not start.');
    await setTimeout(100);
  }
}

function stop(service) {
  return new Promise((resolve) => {
    if (service.exitCode !== null) resolve(undefined);
    service.on('exit', resolve);
    service.kill('SIGTERM');
  });
}
