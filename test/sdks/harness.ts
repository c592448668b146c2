import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { openRegistry } from '../../cli/admin/open-registry.ts';
import { freePort } from '../../local/emulators/free-port.ts';
import { inParallel, turns } from '../../shared/domain/base/concurrency.ts';
import { hashOf } from '../../shared/domain/workspaces/access/secret.ts';
import { startCollection } from './service.ts';

// Runs the tests of PostHog's SDK test harness for some adapters, with its mock relayed to a local service. What fails is
// run with the mock by itself: a test that only the mock passes is a failure of the service, and so is an event that was
// accepted and is not stored once.
// node test/sdks/harness.ts HARNESS_FOLDER PYTHON NAME=server|client[@MOCK_PORT]:COMMAND...: COMMAND starts an adapter on
// $PORT. Some adapters send only to a mock on port 8081.
const [harness = '', python = 'python3', ...profiles] = process.argv.slice(2);
if (profiles.length === 0)
  throw new Error('usage: harness.ts HARNESS_FOLDER PYTHON NAME=server|client[@MOCK_PORT]:COMMAND...');

/** The keys that the contract's tests use. */
const contractKeys = ['phc_test_key', 'phc_specific_key_12345'];
/** The tests mostly wait. */
const atOnce = 5;
/** Of profiles that share a port. */
const { first: inTurn } = turns(1);

const Report = v.object({
  suites: v.array(
    v.object({ name: v.string(), tests: v.array(v.looseObject({ name: v.string(), passed: v.boolean() })) }),
  ),
});
const Answer = v.object({
  path: v.string(),
  status: v.number(),
  ids: v.array(v.nullable(v.string())),
  code: v.nullish(v.looseObject({ code: v.optional(v.string()) })),
  results: v.nullish(v.record(v.string(), v.looseObject({ result: v.string() }))),
});

const folder = mkdtempSync(path.join(tmpdir(), 'harness-'));
const service = await startCollection();
try {
  for (const key of contractKeys) await allowKey(key);
  const rows = await inParallel(atOnce, profiles, runProfile);
  const columns = [
    'profile',
    'tests',
    'passed',
    'failed with the mock too',
    'requests',
    'answered',
    'accepted',
    'lost',
    'doubled',
  ] as const;
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  console.log(
    [columns, columns.map(() => '---'), ...rows.map((row) => columns.map((one) => row[one]))].map(line).join('\n'),
  );
  for (const { profile, broken } of rows)
    for (const name of broken) console.error(`${profile}: ${name} passes with the mock only`);
  if (rows.some(({ lost, doubled, broken }) => lost + doubled + broken.length > 0)) process.exitCode = 1;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}

/** Makes a key of the contract's a key of the project: the relayed requests stay as they were sent. */
async function allowKey(key: string): Promise<void> {
  const { ports } = await openRegistry({ credentials: await service.credentials() });
  const { projectKeys, secrets } = ports.registry;
  const project = await service.projectKey();
  const hash = hashOf(key);
  const record = { ...project, id: `${project.id}_${key.length}`, name: key, hash };
  const place = { workspace_id: project.workspace_id, project_id: project.project_id, id: record.id };
  const secret = secrets.create({ ...place, hash, kind: 'project_key', user_id: null });
  await ports.registry.commit([projectKeys.create(record), secret]);
}

async function runProfile(text: string) {
  const [, profile = '', type = '', port, command = ''] = /^([^=]+)=(server|client)(?:@(\d+))?:(.*)$/s.exec(text) ?? [];
  const answersFile = path.join(folder, `${profile}.ndjson`);
  const run = async (suites: readonly string[], answers: string | null) =>
    runTests({ profile, type, command, suites, answers, mockPort: port ? Number(port) : await freePort() });
  const suitesOf = (names: readonly string[]) => [...new Set(names.flatMap((name) => name.split(':', 1)))];
  const failedOf = (tests: ReadonlyMap<string, boolean>) =>
    [...tests].flatMap(([name, passed]) => (passed ? [] : [name]));
  const all = async () => {
    const relayed = await run(['capture', 'capture_v1'], answersFile);
    const once = failedOf(relayed);
    // The harness has time limits of some hundred milliseconds, which a busy machine misses: what fails is tried again.
    const again = once.length > 0 ? await run(suitesOf(once), answersFile) : relayed;
    const failed = once.filter((name) => !again.get(name));
    const byMock = failed.length > 0 ? await run(suitesOf(failed), null) : relayed;
    return { relayed, failed, broken: failed.filter((name) => byMock.get(name)) };
  };
  const { relayed, failed, broken } = await (port ? inTurn(all) : all());
  const answers = (existsSync(answersFile) ? readFileSync(answersFile, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(Answer, JSON.parse(line)));
  const accepted = new Set(
    answers
      .filter(({ status }) => status === 200)
      .flatMap(({ ids, results }) =>
        ids.flatMap((id) => (id !== null && (results?.[id]?.result ?? 'ok') === 'ok' ? [id.toLowerCase()] : [])),
      ),
  );
  const stored = (await service.storedIds()).filter((id) => accepted.has(id.toLowerCase()));
  const answered = Map.groupBy(answers, ({ status, code }) => [status, code?.code].filter(Boolean).join(' '));
  return {
    profile,
    tests: relayed.size,
    passed: relayed.size - failed.length,
    'failed with the mock too': failed.length - broken.length,
    requests: answers.length,
    answered: [...answered].map(([status, same]) => `${status} × ${same.length}`).join(', '),
    accepted: accepted.size,
    lost: accepted.size - new Set(stored.map((id) => id.toLowerCase())).size,
    doubled: stored.length - new Set(stored).size,
    broken,
  };
}

type Tests = {
  readonly profile: string;
  readonly type: string;
  readonly command: string;
  /** Those of capture: the others are not about routes that the service has. */
  readonly suites: readonly string[];
  /** The file of the relayed answers; null if the mock answers by itself. */
  readonly answers: string | null;
  readonly mockPort: number;
};

/** Whether each test passed. */
async function runTests({ profile, type, command, suites: names, answers, mockPort }: Tests) {
  const port = await freePort();
  const adapter = spawn(command, {
    shell: true,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port) },
  });
  const report = path.join(folder, `${profile}${answers === null ? '' : '.relayed'}.json`);
  const program =
    answers === null ? ['-m', 'posthog_test_harness.cli'] : [path.join(import.meta.dirname, 'harness.py')];
  const run = spawn(
    python,
    [
      ...program,
      'run',
      ...['--adapter-url', `http://127.0.0.1:${port}`, '--mock-port', String(mockPort), '--report', report],
      ...['--mock-url', `http://localhost:${mockPort}`, '--sdk-type', type],
      ...['--concurrency', '1', ...names.flatMap((name) => ['--suite', name])],
    ],
    {
      stdio: process.env['SDK_OUTPUT'] ? 'inherit' : 'ignore',
      env: {
        ...process.env,
        PYTHONPATH: path.join(harness, 'src'),
        HARNESS_SERVICE: `${await service.url()}/collect`,
        HARNESS_ANSWERS: answers ?? '',
      },
    },
  );
  await new Promise((resolve) => run.on('exit', resolve));
  if (adapter.pid) process.kill(-adapter.pid, 'SIGTERM');
  const { suites } = v.parse(Report, JSON.parse(readFileSync(report, 'utf8')));
  return new Map(
    suites.flatMap(({ name, tests }) =>
      tests.map(({ name: test, passed }): [string, boolean] => [`${name}: ${test}`, passed]),
    ),
  );
}
