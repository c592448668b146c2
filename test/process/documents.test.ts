import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSteps, shapeDifferences, stepsOf } from '../support/document-steps.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { askParquet, wholeGraphQuestions } from '../support/whole-graph.ts';

let service: ServiceProcess;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'sample']);
  folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
  mkdirSync(path.join(folder, '.local'));
  cpSync(service.file, path.join(folder, '.local', 'credentials.json'));
  env = await settings();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
});

/** What a document asks its reader to export before the examples. */
async function settings(): Promise<Record<string, string>> {
  const { base_url: url, workspaces } = service.credentials;
  const { shop } = workspaces;
  const warehouse = shop?.connectors['warehouse'];
  if (!shop || !warehouse) throw new Error('the sample has no such workspace');
  const scopes = ['read', 'write', 'admin'];
  const query = { workspace_id: shop.id, name: 'examples', expires_in_days: 1, scopes, client_kind: 'service' };
  const headers = { authorization: `Bearer ${shop.tokens['admin']}`, 'content-type': 'application/json' };
  const created = await fetch(`${url}/v1/auth/tokens`, { method: 'POST', headers, body: JSON.stringify(query) });
  const { token } = v.parse(v.object({ token: v.string() }), await created.json());
  const key = shop.collection['project_key'] ?? '';
  return { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token, WORKSPACE: shop.id, CONNECTOR: warehouse.id, PROJECT_KEY: key };
}

/** Lines without what differs from run to run: ids, times and the ends of lines. */
const linesOf = (text: string): string[] =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .trim()
    .split('\n');

// In reading order: the second document uses the data that the first one sent.
describe.each(['docs/start.md', 'docs/api.md'])('%s', (file) => {
  const steps = stepsOf(file);

  it('shows what its commands and requests really answer', async () => {
    const shown = steps.filter(({ answer }) => answer !== null);
    expect(shown.length).toBeGreaterThan(2);
    const printed = await runSteps(steps, { folder, env: file === 'docs/start.md' ? {} : env });
    for (const [i, { line, answer }] of steps.entries()) {
      const real = printed[i] ?? '';
      if (answer?.kind === 'text') expect(linesOf(real), `${file}, line ${line}`).toEqual(linesOf(answer.text));
      if (answer?.kind === 'json')
        expect(shapeDifferences(JSON.parse(answer.text), JSON.parse(real)), `${file}, line ${line}`).toEqual([]);
    }
  });
});

describe('docs/senders.md', () => {
  it('shows an event that the service accepts unchanged', async () => {
    const steps = stepsOf('docs/senders.md').map((step) => ({
      ...step,
      commands: step.commands.replaceAll('https://lineage.example', service.credentials.base_url),
    }));
    expect(steps.length).toBeGreaterThan(0);
    const [printed = ''] = await runSteps(steps, { folder, env });
    expect(JSON.parse(printed)).toMatchObject({ state: 'accepted', item_count: 1, invalid_item_count: 0 });
  });
});

describe('docs/whole-graph.md', () => {
  it('asks questions of the sample that DuckDB answers', async () => {
    await runSteps([{ line: 0, commands: 'tributary export --format parquet --output graph', answer: null }], {
      folder,
      env,
    });
    const ask = await askParquet(path.join(folder, 'graph'));
    const answers = await Promise.all(wholeGraphQuestions().map(({ sql }) => ask(sql)));
    const [parts = [], critical = [], unread = [], circles = [], paths = []] = answers;
    expect(parts.length).toBeGreaterThan(0);
    expect(critical[0]).toMatchObject({ name: expect.stringMatching(/^(app\.public\.|raw\/)/) });
    expect(unread.map(({ name }) => name)).toContain('finance/weekly');
    expect(circles).toEqual([]);
    expect(Number(paths[0]?.['steps'])).toBeGreaterThan(3);
  });
});

describe('the shape of an answer', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, []],
    [{ a: 1 }, { a: '2' }, ['/a is string, not number']],
    [{ a: 1 }, { a: 1, b: 1 }, ['/b is not shown']],
    [{ a: 1, b: 1 }, { a: 1 }, ['/b is not answered']],
    [{ a: null }, { a: 1 }, []],
    [{ a: 1 }, { a: null }, ['/a is null']],
    [[{ a: 1 }], [], [' is empty']],
    [[], [{ a: 1 }], []],
    [[{ a: 1 }], [{ b: 1 }, { a: 2 }], []],
    [[{ a: 1 }], { a: 1 }, [' is no list']],
  ])('of %j is held to by %j', (shown, real, differences) => {
    expect(shapeDifferences(shown, real)).toEqual(differences);
  });
});
