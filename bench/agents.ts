import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as v from 'valibot';
import { apiOf } from '../shared/client/api.ts';
import { routes } from '../shared/contract/api/routes.ts';
import { startProcess } from '../test/support/service-process.ts';
import { generatedManifest } from './agents/graph.ts';
import { allQuestions, branch, type Question } from './agents/questions.ts';

// Forty questions of agents with known answers, asked with the official clients over HTTP and standard input: calls and
// bytes to the answer. At most three calls and 30 KB each. `--server CHECKOUT`: the tools of another checkout; `--python PYTHON`: with the package mcp.
const { values } = parseArgs({
  options: { server: { type: 'string', default: '.' }, python: { type: 'string' }, details: { type: 'boolean' } },
});
const mostBytes = 30_000;
const Page = v.looseObject({ next_cursor: v.string() });
const Results = v.object({
  results: v.array(v.object({ texts: v.array(v.string()), failed: v.nullable(v.string()) })),
});

const service = await startProcess(['--in-memory', '--seed', 'sample']);
const folder = mkdtempSync(path.join(tmpdir(), 'agents-'));
try {
  const { base_url: url, workspaces } = service.credentials;
  const shop = workspaces['shop'];
  const token = shop?.tokens['admin'];
  if (shop === undefined || token === undefined) throw new Error('The sample has no workspace shop.');
  await loadGenerated(url, token, { workspace_id: shop.id, connector_id: shop.connectors['warehouse']?.id });
  const file = path.join(folder, 'manifest.json');
  writeFileSync(file, JSON.stringify(branch()));
  const questions = allQuestions(file);
  const stdio = {
    command: process.execPath,
    args: [
      path.resolve(values.server, 'cli', 'tributary.ts'),
      'mcp',
      '--credentials',
      service.file,
      '--workspace',
      'shop',
    ],
  };
  const place = { workspace: shop.id };
  report('TypeScript, standard input', await askTypeScript(stdio, place, questions), questions);
  const isOwn = values.server === '.';
  // A server that runs elsewhere reads no file of the agent's machine.
  const remote = questions.filter(({ calls }) => !calls.some(({ input }) => 'path' in input));
  const http = { url: `${url}/mcp`, token };
  if (isOwn) report('TypeScript, HTTP', await askTypeScript(http, place, remote), remote);
  if (values.python) {
    report('Python, standard input', await askPython(values.python, stdio, place, questions), questions);
    if (isOwn) report('Python, HTTP', await askPython(values.python, http, place, remote), remote);
  }
} finally {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
}

type Place = Readonly<Record<string, string>>;
type Server = { readonly command: string; readonly args: string[] } | { readonly url: string; readonly token: string };
type Asked = { readonly texts: readonly string[]; readonly failed: string | null };

async function loadGenerated(url: string, token: string, place: Record<string, string | undefined>): Promise<void> {
  const api = apiOf(url, token);
  await api.ask(routes.linkProject, { body: { workspace_id: place['workspace_id'], project_id: 'big' } });
  const snapshot = { completeness: 'complete', project_id: 'big', source_event_key: 'first' };
  await api.ask(routes.postDbtManifest, { body: { ...place, ...snapshot, manifest: generatedManifest() } });
  const query = { ...place, relation_ref: 'big.s9.m1999' };
  for (let isThere = false; !isThere; await after(500))
    isThere = await api.ask(routes.getRelation, { query }).then(
      () => true,
      () => false,
    );
}

async function askTypeScript(server: Server, place: Place, questions: readonly Question[]): Promise<readonly Asked[]> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport =
    'url' in server
      ? new StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: { authorization: `Bearer ${server.token}` } },
        })
      : new StdioClientTransport(server);
  await client.connect(transport);
  await client.listTools();
  const asked: Asked[] = [];
  for (const { calls } of questions) asked.push(await answered(client, place, calls));
  await client.close();
  return asked;
}

async function answered(client: Client, place: Place, calls: Question['calls']): Promise<Asked> {
  const texts: string[] = [];
  let cursor: unknown = null;
  for (const [index, { tool, input }] of calls.entries()) {
    if (index > 0 && typeof cursor !== 'string') break;
    const filled = Object.entries({ ...place, ...input }).map(([name, value]) => [name, filledIn(value, cursor)]);
    try {
      const answer = await client.callTool({ name: tool, arguments: Object.fromEntries(filled) });
      texts.push(answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))[0] ?? '');
      const page = v.safeParse(Page, answer.structuredContent);
      cursor = page.success ? page.output.next_cursor : null;
    } catch (error) {
      return { texts, failed: String(error) };
    }
  }
  return { texts, failed: null };
}

function filledIn(value: unknown, cursor: unknown): unknown {
  if (value === '$cursor') return cursor;
  return value === '$hour' ? new Date(Date.now() - 3_600_000).toISOString() : value;
}

async function askPython(python: string, server: Server, place: Place, questions: readonly Question[]) {
  const script = path.join(import.meta.dirname, 'agents', 'ask.py');
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ ...server, place, questions }));
  const [answer] = await Promise.all([json(child.stdout), once(child, 'exit')]);
  return v.parse(Results, answer).results;
}

function report(how: string, asked: readonly Asked[], questions: readonly Question[]): void {
  const judged = asked.map(({ texts, failed }, index) => {
    const { question = '', says = [] } = questions[index] ?? {};
    const missing = says.filter((one) => !texts.some((text) => text.includes(one)));
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const largest = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
    return {
      question,
      isAnswered: failed === null && missing.length === 0 && bytes <= mostBytes,
      calls: texts.length,
      bytes,
      largest,
      missing: missing.slice(0, 3),
      failed,
    };
  });
  const most = (of: (one: (typeof judged)[number]) => number) => Math.max(...judged.map(of));
  const total = { how, answered: judged.filter((one) => one.isAnswered).length, questions: judged.length };
  const sum = judged.reduce((all, { bytes }) => all + bytes, 0);
  const figures = {
    most_calls: most((one) => one.calls),
    most_bytes: most((one) => one.bytes),
    largest_answer: most((one) => one.largest),
  };
  console.log(JSON.stringify({ ...total, ...figures, mean_bytes: Math.round(sum / judged.length) }));
  for (const one of judged) if (values.details || !one.isAnswered) console.log(JSON.stringify(one));
}
