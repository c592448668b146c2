// Plays a developer: changes a model of the sample on a branch, opens a pull request at the fake code host, and shows the check.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { printableLines } from '../cli/terminal/terminal.ts';
import { CodeHostAccess } from '../local/credentials.ts';
import { Fault } from '../shared/contract/problems.ts';

const usage = `Opens a pull request at the fake code host of \`npm start\`, and shows what the service's check says.

  npm run pull-request -- [MANIFEST] [--summary] [--credentials FILE]

  MANIFEST  the compiled manifest of the branch; without it, a column of the sample's revenue_daily has another name
  --summary prints the check's summary too, in Markdown
`;

const sample = path.resolve(import.meta.dirname, '..', 'local', 'seed', 'sample');
const changed = { file: 'models/marts/revenue_daily.sql', from: 'as revenue,', to: 'as revenue_eur,' };
const waitsMs = 60_000;

const Commit = v.object({ object: v.object({ sha: v.string() }) });
const Pull = v.object({ number: v.number(), head: v.object({ sha: v.string() }) });
const Runs = v.object({
  check_runs: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      status: v.string(),
      conclusion: v.nullable(v.string()),
      output: v.object({ title: v.nullable(v.string()), summary: v.nullable(v.string()) }),
    }),
  ),
});
const Annotations = v.array(
  v.object({
    path: v.string(),
    start_line: v.number(),
    annotation_level: v.string(),
    title: v.optional(v.string(), ''),
    message: v.string(),
  }),
);

type Host = (method: string, path: string, body?: object) => Promise<unknown>;

async function accessIn(file: string): Promise<CodeHostAccess> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const { success, output } = v.safeParse(v.object({ code_host: CodeHostAccess }), JSON.parse(text));
  if (success) return output.code_host;
  throw new Fault('no_code_host', `${file} names no code host: \`npm start\` runs one, and writes that file.`);
}

type Options = { readonly manifest: string | undefined; readonly summary: boolean };

async function play(access: CodeHostAccess, { manifest, summary }: Options): Promise<void> {
  const host = hostAt(access);
  const branch = `change-${Date.now()}`;
  const { object } = v.parse(Commit, await host('GET', '/git/ref/heads/main'));
  await host('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: object.sha });
  if (manifest === undefined) await put(host, branch, changed.file, await changedModel());
  const bytes = manifest === undefined ? await changedManifest() : await readFile(manifest, 'utf8');
  await put(host, branch, 'target/manifest.json', bytes);
  const title = 'Say the currency of the revenue';
  const { number, head } = v.parse(Pull, await host('POST', '/pulls', { title, head: branch, base: 'main' }));
  const run = await completed(host, head.sha);
  console.log(`Pull request ${number} of ${access.repository}: check “${run.name}” concludes ${run.conclusion}`);
  await show(host, run);
  if (summary) console.log(`\n${printableLines(run.output.summary ?? '')}`);
}

const hostAt =
  ({ url, repository, token }: CodeHostAccess): Host =>
  async (method, route, body) => {
    const response = await fetch(`${url}/repos/${repository}${route}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      body: body ? JSON.stringify(body) : null,
    }).catch(() => {
      throw new Fault('no_code_host', `Nothing answers at ${url}: is \`npm start\` running?`);
    });
    if (response.ok) return response.json();
    throw new Fault('host_refused', `The code host answers ${method} ${route} with ${response.status}.`);
  };

/** What is there is replaced: then the host asks which blob is meant. */
async function put(host: Host, branch: string, file: string, content: string): Promise<void> {
  const found = await host('GET', `/contents/${file}?ref=${branch}`).catch(() => ({}));
  const { sha } = v.parse(v.object({ sha: v.optional(v.string()) }), found);
  const body = { message: `Change ${file}`, content: Buffer.from(content).toString('base64'), branch };
  await host('PUT', `/contents/${file}`, { ...body, ...(sha !== undefined && { sha }) });
}

const renamed = (text: string): string => text.replace(changed.from, changed.to);
const changedModel = async (): Promise<string> =>
  renamed(await readFile(path.join(sample, 'dbt', changed.file), 'utf8'));

/** As `dbt compile` of the branch writes it: the model's text is there as it is and compiled. */
async function changedManifest(): Promise<string> {
  const text = await readFile(path.join(sample, 'manifest.json'), 'utf8');
  return text.replaceAll(changed.from, changed.to);
}

type Run = v.InferOutput<typeof Runs>['check_runs'][number];

async function show(host: Host, { id, output }: Run): Promise<void> {
  console.log(`${printableLines(output.title ?? '')}\n`);
  const annotations = v.parse(Annotations, await host('GET', `/check-runs/${id}/annotations`));
  for (const { path: file, start_line, annotation_level, title, message } of annotations) {
    console.log(printableLines(`${file}:${start_line}  ${annotation_level}  ${title}`));
    console.log(printableLines(message).replaceAll(/^/gm, '  '));
  }
}

async function completed(host: Host, commit: string): Promise<Run> {
  const deadline = Date.now() + waitsMs;
  for (;;) {
    const { check_runs } = v.parse(Runs, await host('GET', `/commits/${commit}/check-runs`));
    const run = check_runs.find(({ status }) => status === 'completed');
    if (run) return run;
    if (Date.now() > deadline) throw new Fault('no_check', 'No check of the pull request came within a minute.');
    await after(100);
  }
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      credentials: { type: 'string', default: path.join('.local', 'credentials.json') },
      summary: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) process.stdout.write(usage);
  else await play(await accessIn(values.credentials), { manifest: positionals[0], summary: values.summary });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
