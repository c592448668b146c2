// Its own local service for as long as some work takes: nothing of it stays.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { leakOf, logged } from '../test/support/log-rules.ts';
import { projectNode, root } from './project-node.mjs';

/**
 * Calls `work` with the credentials file of a service that is seeded for conformance, and answers what it answers. The
 * service is given `further` options, its Node those of `first`, and its environment `variables`.
 * Throws where a log line of the service holds what no log line may.
 */
export async function withLocalService(work, further = [], { first = [], variables = {} } = {}) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const credentials = path.join(scratch, 'credentials.json');
  const options = ['--port', '0', '--in-memory', '--seed', 'conformance', '--credentials', credentials, ...further];
  const main = path.join(root, 'local', 'main.ts');
  const env = { ...process.env, POWERTOOLS_LOG_LEVEL: 'INFO', ...variables };
  const service = spawn(projectNode, [...first, main, ...options], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const leaks = watchedLog(service);
  try {
    await ready(service, credentials);
    const answer = await work(credentials, service.pid);
    if (leaks.size > 0) throw new Error(`A log line ${[...leaks].join('; another ')}.`);
    return answer;
  } finally {
    await stop(service);
    rmSync(scratch, { recursive: true });
  }
}

/** The rules that log lines broke, so far. What the service says to people is shown, its log is not. */
function watchedLog({ stdout, stderr }) {
  const leaks = new Set();
  for (const input of [stdout, stderr])
    createInterface({ input }).on('line', (line) => {
      const leak = leakOf(line);
      if (leak !== null) leaks.add(leak);
      if (logged(line) === null) process.stderr.write(`${line}\n`);
    });
  return leaks;
}

/** Runs a Node program against the service; answers its exit status and, where `output` is piped, what it printed. */
export function runAgainst(credentials, args, output = 'inherit') {
  const env = { ...process.env, TRIBUTARY_CREDENTIALS: credentials, TRIBUTARY_PROJECT: root };
  const child = spawn(projectNode, args, { cwd: root, env, stdio: ['ignore', output, 'inherit'] });
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
