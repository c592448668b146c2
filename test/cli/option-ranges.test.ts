import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'option-ranges-'));
writeFileSync(path.join(folder, 'x.json'), '{}');
afterAll(() => rmSync(folder, { recursive: true }));

/** Nothing listens there, so a command whose options are taken gets no further. */
const nowhere = ['--url', 'http://127.0.0.1:1', '--token', 'x', '--workspace', 'ws_x', '--connector', 'con_x'];
const run = (command: string, ...more: string[]) =>
  commandLine([...command.split(' '), ...more, ...(command.startsWith('admin') ? [] : nowhere)], { folder });

const depth = [1, 10] as const;
const nodes = [1, 500] as const;
const page = [1, 10_000] as const;
const number = [1, 2_147_483_647] as const;
const rate = [1, 1_000_000] as const;

/** Every option that takes a number. */
const options: readonly (readonly [command: string, option: string, min: number, max: number])[] = [
  ['impact x', '--depth', ...depth],
  ['impact x', '--nodes', ...nodes],
  ['diff', '--depth', ...depth],
  ['diff', '--nodes', ...nodes],
  ['diff dbt', '--depth', ...depth],
  ['diff dbt', '--nodes', ...nodes],
  ['diff dbt', '--pull-request', ...number],
  ['diff sqlmesh x.json', '--depth', ...depth],
  ['diff sqlmesh x.json', '--nodes', ...nodes],
  ['comment x.json', '--pull-request', ...number],
  ['search x', '--limit', ...page],
  ['deliveries', '--limit', ...page],
  ['checks results x', '--limit', ...page],
  ['artifacts list', '--limit', ...page],
  ['memory search', '--limit', ...page],
  ['memory candidates', '--limit', ...page],
  ['memory generate x', '--limit', 1, 5],
  ['tokens create x --scope read', '--expires-in-days', 1, 365],
  ['login', '--port', 0, 65_535],
  ['admin audit x', '--limit', 1, 1_000_000],
  ['admin connectors create x y --kind duckdb', '--observed-retention-days', 1, 3_650],
  ['admin connectors update x y', '--observed-retention-days', 1, 3_650],
  ['admin projects update x y', '--events-retention-days', 0, 36_500],
  ['admin project-keys create x y z --environment e', '--rate', ...rate],
  ['admin project-keys create x y z --environment e --rate 1', '--burst', ...rate],
];

it('names the option whose value is not allowed, not a field of the request', async () => {
  for (const option of ['--min-confidence', '--verdict', '--scope']) {
    const command = option === '--scope' ? 'tokens create x' : 'impact x';
    for (const value of ['2', '']) {
      const { code, messages } = await run(command, option, value);
      expect([code, messages]).toEqual([2, expect.stringContaining(`${option} <`)]);
    }
  }
  const allowed = await run('impact x --min-confidence 0.5 --verdict confirmed,contradicted');
  expect(allowed.messages).not.toContain('--');
});

it('shows no help for a command that does not exist', async () => {
  for (const command of ['nope --help', 'help nope', 'push nope --help', 'admin members nope --help']) {
    const { code, output, messages } = await run(command);
    expect([command, code, output, messages]).toEqual([command, 2, '', expect.stringContaining("command 'nope'")]);
  }
  for (const command of ['help', 'help push', 'push --help', 'push help dbt', 'deliveries x --help'])
    expect([command, await run(command)]).toEqual([command, expect.objectContaining({ code: 0, messages: '' })]);
});

it('counts snapshots among what is not compiled', async () => {
  const nodes = {
    model: { resource_type: 'model' },
    snapshot: { resource_type: 'snapshot' },
    seed: { resource_type: 'seed' },
  };
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ metadata: {}, nodes }));
  expect((await run('push dbt')).messages).toContain('2 of 2 models and snapshots are not compiled');
});

describe('a number that an option takes', () => {
  it.each(options)('is in the range that the message of `%s %s` names', async (command, option, min, max) => {
    const says = `Expected a whole number from ${min} to ${max}.`;
    for (const value of [min, max]) expect((await run(command, option, String(value))).messages).not.toContain(says);
    for (const value of [String(min - 1), String(max + 1), '1.5', 'x', '']) {
      const { code, output, messages } = await run(command, option, value);
      expect([value, code, output, messages]).toEqual([value, 2, '', expect.stringContaining(says)]);
    }
  });
});
