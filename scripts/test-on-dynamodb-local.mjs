// Runs the tests of the stores on the reference emulator of DynamoDB, so that no single emulator decides what is right.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';

const source = path.join(root, 'test', 'support', 'dynamodb-local');
const folder = path.join(root, '.cache', 'dynamodb-local');
const mark = path.join(folder, '.installed-from');
const pom = path.join(source, 'pom.xml');
const wanted = createHash('sha256').update(readFileSync(pom)).digest('hex');
const flows = ['deliveries', 'intake', 'policy', 'providers', 'uploads'].map((name) => `test/flows/${name}`);
const tests = process.argv.length > 2 ? process.argv.slice(2) : ['connected', ...flows];

if (isInstalled() || install()) await check();
else console.log('Without Java, Maven and its repository there is no DynamoDB Local: the stores are not tested on it.');

function isInstalled() {
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted && succeeds('java', ['-version']);
}

function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const installed = succeeds('java', ['-version']) && succeeds('mvn', copy);
  if (installed) writeFileSync(mark, wanted);
  return installed;
}

function succeeds(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

async function check() {
  const port = await freePort();
  const classes = ['-cp', path.join(folder, '*'), path.join(source, 'LoopbackServer.java')];
  const server = start('java', [`-Djava.library.path=${folder}`, ...classes, String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  while (!(await answers(endpoint))) {
    if (server.exitCode !== null) throw new Error('DynamoDB Local ended while it started.');
    await setTimeout(100);
  }
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, TEST_DYNAMODB_ENDPOINT: endpoint, TEST_RUNS_FACTOR: '2.5' };
  const testing = start(projectNode, [vitest, 'run', '--testTimeout=600000', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  const [status] = await once(testing, 'exit');
  server.kill();
  process.exitCode = status ?? 1;
}

/** Whatever ends this ends what it started. */
function start(program, args, options) {
  const child = spawn(program, args, options);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return child;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function answers(endpoint) {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}
