import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../../local/emulators/free-port.ts';
import { inParallel, turns } from '../../shared/domain/base/concurrency.ts';
import { commandJson } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { type Sdk, sdks } from './catalogue.ts';
import { drive } from './drive.ts';
import { install } from './install.ts';
import { type Fate, startProxy } from './proxy.ts';

// Sends by real SDKs through failures and restarts of the service, and prints what became of each event.
// node test/sdks/run.ts [--all] [NAME]...: the newest release of each SDK, with --all also the oldest.
const fates: readonly Fate[] = [
  'answered',
  'answer lost',
  'answered',
  503,
  'answered',
  429,
  'answered',
  'unreachable',
  'answered',
  'restart',
  'answered',
  413,
];
const eventsOfEach = 40;
const atOnce = 3;
/** Without a request for so long, an SDK sends no more. */
const quietMs = 12_000;

const names = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const isChosen = ({ name }: Sdk) => names.length === 0 || names.includes(name);
const runs = sdks.filter(isChosen).flatMap((sdk) => {
  const versions = process.argv.includes('--all') ? sdk.versions : sdk.versions.slice(0, 1);
  return versions.map((version) => ({ sdk, version, title: `${sdk.name} ${version}${sdk.v1 ? ' (V1)' : ''}` }));
});
type Run = (typeof runs)[number];
/** Pages share a port. */
const pages = turns(1).first;

// Everything that is missing shows before anything is started.
const folders = await inParallel(2, runs, async ({ sdk, version }) => {
  try {
    return await install(sdk, version);
  } catch (error) {
    throw new Error(`${sdk.name} ${version} cannot be tried: ${sdk.language} and its package registry are needed.`, {
      cause: error,
    });
  }
});

const data = mkdtempSync(path.join(tmpdir(), 'sdks-'));
const options = ['--data', data, '--seed', 'conformance'];
let running: Promise<ServiceProcess> = startProcess(options);
const service = {
  url: async () => (await running).credentials.base_url,
  restart: async () => {
    const before = running;
    // What several proxies ask for at once is one restart.
    restarts ??= before.then(async ({ end }) => {
      const killed = end('SIGKILL');
      running = killed.then(() => startProcess(options));
      await running;
      restarts = null;
    });
    await restarts;
  },
};
let restarts: Promise<void> | null = null;

try {
  const pagePort = await freePort();
  const key = await newKey(pagePort);
  const rows = await inParallel(atOnce, runs, (run, at) => tryOne(run, { folder: folders[at] ?? '', key, pagePort }));
  const stored = await storedMarks();
  const results = rows.map(({ sdk, title, marks, requests, answers, failure }) => {
    const own = stored.filter((mark) => marks.has(mark));
    const kept = new Set(own);
    const missing = [...marks].filter((mark) => !kept.has(mark));
    const refused = missing.filter((mark) => (answers.get(mark) ?? '200') !== '200');
    const after = [...new Set(refused.map((mark) => answers.get(mark) ?? ''))].sort();
    const unexpected = failure ?? after.find((answer) => !sdk.givesUp.includes(answer)) ?? null;
    return {
      SDK: title,
      sent: marks.size,
      requests,
      stored: kept.size,
      'given up by the SDK': refused.length,
      after: after.join(', '),
      lost: missing.length - refused.length,
      doubled: own.length - kept.size,
      unexpected,
    };
  });
  const columns = Object.keys(results[0] ?? {}).slice(0, -1) as (keyof (typeof results)[number])[];
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  console.log(
    [
      line(columns),
      line(columns.map(() => '---')),
      ...results.map((row) => line(columns.map((name) => row[name]))),
    ].join('\n'),
  );
  const failed = results.filter(({ lost, doubled, unexpected }) => lost + doubled > 0 || unexpected !== null);
  for (const { SDK, unexpected } of failed) console.error(`${SDK}: ${unexpected ?? 'events are lost or doubled'}`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await (await running).end('SIGTERM');
  rmSync(data, { recursive: true });
}

async function newKey(pagePort: number): Promise<string> {
  const { file } = await running;
  const admin = (...args: readonly string[]) => commandJson(['admin', ...args, '--credentials', file]);
  await admin(
    'projects',
    'create',
    'acme',
    'sdks',
    '--environment',
    'production',
    '--origin',
    `http://localhost:${pagePort}`,
  );
  const { key } = await admin('project-keys', 'create', 'acme', 'sdks', 'all', '--environment', 'production');
  return key;
}

async function tryOne({ sdk, title }: Run, at: { folder: string; key: string; pagePort: number }) {
  const marks = Array.from({ length: eventsOfEach }, (_, n) => `${title.replaceAll(' ', '_')}#${n}`);
  const proxy = await startProxy(service, fates);
  const last = new Map<string, string>();
  const settled = async () => {
    for (let quiet = 0, before = 0; quiet < quietMs; quiet += 200) {
      await after(200);
      if (proxy.seen.length > before) quiet = 0;
      before = proxy.seen.length;
      for (const { marks, answer } of proxy.seen) for (const mark of marks) last.set(mark, answer);
      if (marks.every((mark) => last.get(mark) === '200')) return;
    }
  };
  let failure: string | null = null;
  try {
    if (sdk.language === 'browser') await pages(() => drive({ sdk, marks, settled, url: proxy.url, ...at }));
    else await drive({ sdk, marks, settled, url: proxy.url, ...at });
  } catch (error) {
    failure = String(error);
  } finally {
    proxy.stop();
  }
  for (const { marks, answer } of proxy.seen) for (const mark of marks) last.set(mark, answer);
  return { sdk, title, marks: new Set(marks), requests: proxy.seen.length, answers: last, failure };
}

async function storedMarks(): Promise<readonly string[]> {
  const { file } = await running;
  const sql =
    "select coalesce(json_extract_string(properties, '$.mark'), json_extract_string(traits, '$.mark')) as mark from events";
  const args = ['--workspace', 'acme', '--credentials', file, '--wait', '--sql', sql];
  const output = execFileSync(process.execPath, [path.resolve('cli', 'events.ts'), ...args], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).mark);
}
