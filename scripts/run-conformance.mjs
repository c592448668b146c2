// Runs the contract's black-box tests against a local service of its own: `node scripts/run-conformance.mjs FOLDER FILE…`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '..');
const [folder, ...files] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.log(`The contract's tests are not at ${folder}: they are not run.`);
  process.exit(0);
}

const scratch = mkdtempSync(path.join(tmpdir(), 'conformance-'));
const credentials = path.join(scratch, 'credentials.json');
const options = ['--port', '0', '--in-memory', '--seed', 'conformance', '--credentials', credentials];
const node = path.join(root, 'node_modules', '.bin', 'node');
const service = spawn(node, [path.join(root, 'local', 'main.ts'), ...options], { cwd: root, stdio: ['ignore', 2, 2] });
try {
  await ready();
  process.exitCode = await run();
} finally {
  await stop();
  rmSync(scratch, { recursive: true });
}

async function ready() {
  for (let waited = 0; !existsSync(credentials); waited += 100) {
    if (service.exitCode !== null || waited > 120_000) throw new Error('The local service did not start.');
    await setTimeout(100);
  }
}

function run() {
  const env = { ...process.env, TRIBUTARY_CREDENTIALS: credentials, TRIBUTARY_PROJECT: root };
  const tests = files.map((file) => path.join(folder, `${file}.test.mjs`));
  const runner = spawn(node, ['--test', '--test-reporter=spec', ...tests], { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => runner.on('exit', (status) => resolve(status ?? 1)));
}

function stop() {
  return new Promise((resolve) => {
    if (service.exitCode !== null) resolve(undefined);
    service.on('exit', resolve);
    service.kill('SIGTERM');
  });
}
