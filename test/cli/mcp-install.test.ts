import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { clientFiles, withServer } from '../../cli/mcp/client-files.ts';
import { commandLine } from '../support/command-line.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, '.config'), APPDATA: folder, CODEX_HOME: '' };
const files = clientFiles({ env, folder });
const clients = Object.keys(files) as (keyof typeof files)[];

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(path.join(env.XDG_CONFIG_HOME, 'tributary'), { recursive: true });
  const profile = { url: 'https://lineage.test', token: 'dpt_secret', workspace: 'acme' };
  const configuration = { profiles: { default: profile, work: profile } };
  writeFileSync(path.join(env.XDG_CONFIG_HOME, 'tributary', 'config.json'), JSON.stringify(configuration));
});

const install = (client: string, ...options: string[]) =>
  commandLine(['mcp', 'install', client, ...options], { env, folder });
const textOf = (client: keyof typeof files) => readFileSync(files[client].file, 'utf8');
const put = (client: keyof typeof files, text: string) => {
  mkdirSync(path.dirname(files[client].file), { recursive: true });
  writeFileSync(files[client].file, text);
};

describe('mcp install', () => {
  it.each(clients)(
    'shows and writes the server of %s, without a token, and changes nothing the second time (C-AGENT-12)',
    async (client) => {
      const first = await install(client, '--profile', 'work', '--connector', 'warehouse');
      expect([first.code, first.output]).toEqual([0, expect.stringContaining('"--profile"')]);
      expect(first.output).toContain(files[client].file);
      const text = textOf(client);
      expect(text).toMatch(/"mcp".*"--profile".*"work".*"--workspace".*"acme".*"--connector".*"warehouse"/s);
      expect(first.output + text).not.toContain('dpt_secret');
      await install(client, '--profile', 'work', '--connector', 'warehouse');
      expect(textOf(client)).toBe(text);
    },
  );

  it.each(clients)('writes nothing for %s with --dry-run', async (client) => {
    const { code, output } = await install(client, '--dry-run');
    expect([code, existsSync(files[client].file)]).toEqual([0, false]);
    expect(output).toContain('tributary');
  });

  it('keeps comments, other servers, order and a final comma of JSON', async () => {
    const before =
      '{\n  // mine\n  "inputs": [ { "id": "a}\\"" }, ],\n  "servers": {\n    "other": { "url": "http://x//y" }, /* last */\n  },\n}\n';
    put('vscode', before);
    await install('vscode');
    const after = textOf('vscode');
    const added = after.slice(after.indexOf('\n    "tributary"'), after.indexOf('\n    "other"'));
    expect(added).toMatch(/^\n {4}"tributary": \{\n {6}"command"/);
    expect(after.replace(added, '')).toBe(before);
  });

  it('replaces its own server only', async () => {
    put('cursor', '{"mcpServers": {"tributary": {"command": "old", "args": ["}"]}, "z": {"command": "z"}}}');
    await install('cursor');
    const { mcpServers } = JSON.parse(textOf('cursor'));
    expect(mcpServers).toMatchObject({ tributary: { command: process.execPath }, z: { command: 'z' } });
    put(
      'codex',
      '# mine\nmodel = "x"\n\n[mcp_servers.tributary]\ncommand = "old"\n[mcp_servers.tributary.env]\nA = "b"\n\n[mcp_servers.z] # other\ncommand = "z"\n',
    );
    await install('codex');
    const toml = textOf('codex');
    expect(toml).toMatch(
      /^# mine\nmodel = "x"\n\n\[mcp_servers\.tributary\]\ncommand = .*\nargs = .*\n\n\[mcp_servers\.z\] # other\ncommand = "z"\n$/,
    );
    expect(toml).not.toMatch(/old|A = /);
  });

  it('adds its server to any JSON and keeps all the rest', () => {
    const server = { command: 'node', args: ['mcp'] };
    const entry = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(entry, fc.option(entry), fc.constantFrom(0, 2), (rest, servers, indent) => {
        const before = { ...rest, ...(servers && { mcpServers: servers }) };
        const known = before as { mcpServers?: object };
        if (Object.hasOwn(before, '__proto__') || (servers && Object.hasOwn(servers, '__proto__'))) return;
        if (!servers) delete known.mcpServers;
        const after = JSON.parse(withServer(files.cursor, JSON.stringify(before, null, indent), server));
        const whole = { ...before, mcpServers: { ...servers, tributary: server } };
        expect(after).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });

  it('does not change a file that it cannot read, and says so', async () => {
    for (const broken of ['{"mcpServers": ', '[]', 'mcpServers: {}', '{"mcpServers": []}']) {
      put('cursor', broken);
      const { code, messages } = await install('cursor');
      expect([broken, code, messages]).toEqual([broken, 2, expect.stringContaining('mcp.json is not JSON')]);
      expect(textOf('cursor')).toBe(broken);
    }
  });

  it('shows nothing of other servers, keeps the file before, and its link and rights', async () => {
    const real = path.join(folder, 'dotfiles.json');
    const before = '{"mcpServers": {"other": {"env": {"TOKEN": "of-another"}}}}';
    writeFileSync(real, before, { mode: 0o640 });
    mkdirSync(path.dirname(files.cursor.file), { recursive: true });
    symlinkSync(real, files.cursor.file);
    for (const options of [['--dry-run'], ['--dry-run', '--json'], ['--json'], []]) {
      const { output, messages } = await install('cursor', ...options);
      expect(output + messages).not.toContain('of-another');
    }
    expect(JSON.parse(readFileSync(real, 'utf8')).mcpServers.other).toEqual({ env: { TOKEN: 'of-another' } });
    expect(readFileSync(`${real}.bak`, 'utf8')).toBe(before);
    expect(lstatSync(files.cursor.file).isSymbolicLink()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    'mcp_servers = { z = { command = "z" } }\n',
    'mcp_servers.tributary = { command = "old" }\n',
    'notes = """\n[mcp_servers.tributary]\n"""\n',
    "notes = '''\n[mcp_servers.tributary]\n'''\n",
    '["mcp_servers".tributary]\ncommand = "old"\n',
    '[mcp_servers.tributary]\nargs = [\n  "a",\n  ["b"],\n]\n',
  ])('refuses TOML that it cannot change safely, and says what to add: %j', async (before) => {
    put('codex', before);
    const { code, messages } = await install('codex');
    expect([code, messages]).toEqual([2, expect.stringContaining('[mcp_servers.tributary]')]);
    expect(textOf('codex')).toBe(before);
    expect(existsSync(`${files.codex.file}.bak`)).toBe(false);
  });

  it('refuses an address or a token that the client would not have', async () => {
    const { code, messages } = await install('cursor', '--url', 'https://lineage.test', '--token', 'dpt_x');
    expect([code, messages]).toEqual([2, expect.stringContaining('tributary login')]);
    expect(existsSync(files.cursor.file)).toBe(false);
  });
});
