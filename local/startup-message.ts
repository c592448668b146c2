import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify, styleText } from 'node:util';
import type { LocalOptions } from './options.ts';
import type { Running } from './run.ts';

type Example = { readonly says: string; readonly typed: string; readonly ask: () => Promise<string> };

type Program = { readonly file: string; readonly typed: string };

const root = path.resolve(import.meta.dirname, '..');
const programs = programsOf(process.env['TRIBUTARY_PACKAGE']);

/** The programs of the examples, and how they are typed: in a checkout as scripts of npm, from a package by npx. */
function programsOf(name: string | undefined): Readonly<Record<'tributary' | 'events' | 'pullRequest', Program>> {
  if (name !== undefined)
    return {
      tributary: { file: 'dist/tributary.js', typed: `npx ${name.split('/')[0]}/cli` },
      events: { file: 'dist/events.js', typed: `npx ${name} events` },
      pullRequest: { file: 'dist/pull-request.js', typed: `npx ${name} pull-request` },
    };
  const script = 'npm run --silent';
  return {
    tributary: { file: 'cli/tributary.ts', typed: `${script} tributary --` },
    events: { file: 'cli/events.ts', typed: `${script} events --` },
    pullRequest: { file: 'scripts/pull-request.ts', typed: `${script} pull-request --` },
  };
}

export async function startupMessage(running: Running, { folder, credentials }: LocalOptions): Promise<string> {
  const shown = path.relative(process.cwd(), credentials);
  const examples: string[] = [];
  for (const example of examplesFor(running, shown)) examples.push(await answered(example));
  return [
    '',
    `${styleText('bold', 'Tributary runs on')} ${styleText(['bold', 'green'], running.baseUrl)}`,
    `  state       ${folder ? path.relative(process.cwd(), folder) : 'in memory'}`,
    `  sign in     ${running.credentials.sign_in_url ?? running.baseUrl}`,
    `  credentials ${shown} (tokens of each role, project and server keys)`,
    ...(running.credentials.code_host
      ? [`  code host   ${running.credentials.code_host.url} (a fake one, with the sample’s repository)`]
      : []),
    '  sample      the workspace shop: web events, a dbt project of 65 models, runs of two schedulers',
    '',
    ...(examples.length > 0 ? [styleText('bold', 'Try, in another terminal:'), '', ...examples] : []),
    styleText('dim', 'Ctrl-C stops it.'),
  ].join('\n');
}

type Workspace = Running['credentials']['workspaces'][string];

function examplesFor({ baseUrl, credentials: { workspaces } }: Running, file: string): Example[] {
  const shop = workspaces['shop'];
  if (!shop) return [];
  const inFile = ['--credentials', file];
  return [impactExample(inFile), eventsExample(inFile, shop), collectExample(baseUrl, shop), checkExample(inFile)];
}

function impactExample(inFile: readonly string[]): Example {
  const impact = ['impact', 'shop.raw.payments', '--column', 'amount_cents', ...inFile];
  return {
    says: 'What breaks if a column of a raw table changes?',
    typed: `${programs.tributary.typed} ${impact.join(' ')}`,
    ask: () => run(programs.tributary, impact),
  };
}

function eventsExample(inFile: readonly string[], shop: Workspace): Example {
  const sql = 'select type, event, count(*) as count from events group by all order by all';
  const chosen = [...inFile, '--workspace', shop.id, '--sql'];
  return {
    says: 'What did the web shop collect?',
    typed: `${programs.events.typed} ${chosen.join(' ')} "${sql}"`,
    ask: () => run(programs.events, [...chosen, sql]),
  };
}

function collectExample(baseUrl: string, shop: Workspace): Example {
  const timestamp = new Date().toISOString();
  const event = { id: 'tried-1', type: 'track', event: 'tried', user_id: 'me', timestamp };
  const batch = JSON.stringify({ project_key: shop.collection['project_key'], events: [event] });
  const collect = `${baseUrl}/collect/v1/batch`;
  return {
    says: 'Collect an event. Sent twice, it is stored once.',
    typed: `curl -s ${collect} -H 'content-type: application/json' -d '${batch}'`,
    ask: async () => (await fetch(collect, { method: 'POST', headers: json, body: batch })).text(),
  };
}

const checkExample = (inFile: readonly string[]): Example => ({
  says: 'What does a pull request break? It is opened at a code host on this machine, and this is the check that it gets.',
  typed: `${programs.pullRequest.typed} ${inFile.join(' ')}`,
  ask: () => run(programs.pullRequest, inFile),
});

const json = { 'content-type': 'application/json' };

async function run({ file }: Program, args: readonly string[]): Promise<string> {
  // Its output is a pipe, which is not coloured: what reads it is where this process writes to.
  const env = { ...process.env, ...(process.stdout.hasColors?.() && { FORCE_COLOR: '1' }) };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, file), ...args], { env });
  return stdout.trimEnd();
}

async function answered({ says, typed, ask }: Example): Promise<string> {
  const answer = (await ask()).split('\n').map((line) => `    ${line}`);
  return [styleText('dim', `  # ${says}`), `  ${styleText('yellow', typed)}`, ...answer, ''].join('\n');
}
