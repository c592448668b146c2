// Runs the tests of the stores on the reference emulator of DynamoDB, so that no single emulator decides what is right.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { dynamodbLocal, hasDynamodbLocal } from '../local/emulators/dynamodb-local.ts';
import { freePort } from '../local/emulators/free-port.ts';
import { startSupervised, stopSupervised } from '../local/emulators/supervised-process.ts';

const root = path.resolve(import.meta.dirname, '..');
const host = '127.0.0.1';
const flows = ['deliveries', 'intake', 'policy', 'providers', 'uploads'].map((name) => `test/flows/${name}`);
const tests = process.argv.length > 2 ? process.argv.slice(2) : ['connected', ...flows];

if (hasDynamodbLocal()) await check();
else console.log('Without Java, Maven and its repository there is no DynamoDB Local: the stores are not tested on it.');

async function check(): Promise<void> {
  const port = await freePort(0, host);
  const [program, ...args] = dynamodbLocal;
  const server = startSupervised(program, [...args, host, String(port)]);
  const endpoint = `http://${host}:${port}`;
  while (!(await answers(endpoint))) {
    if (server.exitCode !== null) throw new Error('DynamoDB Local ended while it started.');
    await after(100);
  }
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, TEST_DYNAMODB_ENDPOINT: endpoint, TEST_RUNS_FACTOR: '4' };
  const testing = spawn(process.execPath, [vitest, 'run', '--testTimeout=600000', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => testing.kill(signal));
  const [status] = await once(testing, 'exit');
  await stopSupervised(server);
  process.exitCode = status ?? 1;
}

function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}
