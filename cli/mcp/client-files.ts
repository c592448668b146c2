import { homedir, platform } from 'node:os';
import path from 'node:path';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The command that a client runs. */
export type Server = { readonly command: string; readonly args: readonly string[] };

type ClientFile = {
  readonly title: string;
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
};

const name = 'tributary';

/** Where each client keeps its servers: of the user, or of the project in the current folder. */
export function clientFiles({ env, folder }: Pick<Terminal, 'env' | 'folder'>) {
  const home = env['HOME'] || homedir();
  const applications = {
    darwin: path.join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] || path.join(home, 'AppData', 'Roaming'),
  }[platform() as string];
  const desktop = path.join(applications ?? (env['XDG_CONFIG_HOME'] || path.join(home, '.config')), 'Claude');
  return {
    'claude-desktop': json('Claude Desktop', path.join(desktop, 'claude_desktop_config.json')),
    'claude-code': json('Claude Code, in this folder', path.join(folder, '.mcp.json')),
    cursor: json('Cursor', path.join(home, '.cursor', 'mcp.json')),
    vscode: json('VS Code, in this folder', path.join(folder, '.vscode', 'mcp.json'), 'servers'),
    codex: {
      title: 'Codex',
      file: path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'config.toml'),
      format: 'toml',
      key: 'mcp_servers',
    },
  } as const satisfies Record<string, ClientFile>;
}

const json = (title: string, file: string, key = 'mcpServers') => ({ title, file, format: 'json', key }) as const;

/** The text of a client's file with this server in it; everything else stays as it is. Throws UsageError. */
export const withServer = ({ format, key, file }: ClientFile, text: string, server: Server): string =>
  format === 'toml' ? inToml(text, { key, file, server }) : inJson(text, { key, file, server });

/** The server as the file gets it: what else is in the file may be the secrets of others, and is not shown. */
export const serverText = ({ format, key }: ClientFile, server: Server): string =>
  format === 'toml' ? tableOf(key, server).join('\n') : JSON.stringify({ [key]: { [name]: server } }, null, 2);

const tableOf = (key: string, { command, args }: Server): readonly string[] => [
  `[${key}.${name}]`,
  `command = ${JSON.stringify(command)}`,
  `args = ${JSON.stringify(args)}`,
];

/** Replaces the table of the server with its subtables, or adds it at the end. */
function inToml(text: string, { key, file, server }: Change): string {
  const lines = text.split('\n');
  if (!hasPlainTables(lines, key))
    throw new UsageError(`${file} has servers or texts in a form that this command cannot change safely.`, [
      `Add this table by hand:\n${tableOf(key, server).join('\n')}`,
    ]);
  const isOurs = (line: string) => new RegExp(`^\\s*\\[+\\s*${key}\\s*\\.\\s*"?${name}"?\\s*[.\\]]`).test(line);
  const start = lines.findIndex(isOurs);
  const own = tableOf(key, server);
  if (start < 0) return `${text === '' ? '' : `${text.trimEnd()}\n\n`}${own.join('\n')}\n`;
  const following = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line) && !isOurs(line));
  const rest = following < 0 ? [] : ['', ...lines.slice(following)];
  return `${[...lines.slice(0, start), ...own, ...rest].join('\n').trimEnd()}\n`;
}

/** A text of several lines may hold what looks like a header; servers outside of tables are not found. */
function hasPlainTables(lines: readonly string[], key: string): boolean {
  if (lines.some((line) => /"""|'''/.test(line))) return false;
  const plain = new RegExp(`^\\s*\\[\\s*${key}\\s*\\.[\\w .-]*("[\\w .-]*")?[\\w .-]*\\]`);
  return lines.every((line) => {
    if (!/^\s*\[/.test(line)) return !new RegExp(`^\\s*["']?${key}["']?\\s*[.=]`).test(line);
    // What is no header is a part of a list that goes over several lines.
    return line.includes(key) ? plain.test(line) : /^\s*\[[^\]]*\]{1,2}\s*(?:#.*)?$/.test(line);
  });
}

type Change = { readonly key: string; readonly file: string; readonly server: Server };

function inJson(text: string, { key, file, server }: Change): string {
  if (text.trim() === '') return `${JSON.stringify({ [key]: { [name]: server } }, null, 2)}\n`;
  const whole = objectAt(text, 0, file);
  const servers = whole.members.get(key);
  if (servers === undefined) return withMember(text, whole, key, { [name]: server });
  const inner = objectAt(text, servers.start, file);
  const known = inner.members.get(name);
  if (known === undefined) return withMember(text, inner, name, server);
  return text.slice(0, known.start) + written(server, indentOf(text, known.start)) + text.slice(known.end);
}

type Span = { readonly start: number; readonly end: number };
type JsonObject = { readonly open: number; readonly members: ReadonlyMap<string, Span> };

/** A member before all others, so that what follows keeps its comments and its last comma. */
function withMember(text: string, { open, members }: JsonObject, member: string, value: unknown): string {
  const indent = `${indentOf(text, open)}  `;
  const own = `\n${indent}${JSON.stringify(member)}: ${written(value, indent)}`;
  const rest = text.slice(open + 1);
  const end = members.size > 0 ? ',' : /^\s*\}/.test(rest) ? `\n${indentOf(text, open)}` : '';
  return text.slice(0, open + 1) + own + end + (members.size > 0 ? rest : rest.replace(/^\s*\}/, '}'));
}

const written = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);

const indentOf = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

/** Where the members of an object of JSON with comments are. */
function objectAt(text: string, from: number, file: string): JsonObject {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"/]+/g;
  token.lastIndex = from;
  const members = new Map<string, Span>();
  let [depth, open, key, start, end]: [number, number, string | null, number, number] = [0, -1, null, -1, -1];
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [part] = found;
    if (part.startsWith('//') || part.startsWith('/*')) continue;
    if (depth === 0 && part !== '{') break;
    if (depth === 0) open = found.index;
    const isEnd = depth === 1 && (part === ',' || part === '}');
    if (isEnd && key !== null && start >= 0) members.set(key, { start, end });
    if (isEnd) [key, start] = [null, -1];
    else if (depth === 1 && key === null) key = stringOf(part);
    else if (depth === 1 && part !== ':' && start < 0) start = found.index;
    depth += '{['.includes(part) ? 1 : ']}'.includes(part) ? -1 : 0;
    end = found.index + part.length;
    if (depth === 0) return { open, members };
  }
  throw new UsageError(`${file} is not JSON with an object of servers.`, ['Correct it, or move it away.']);
}

function stringOf(part: string): string | null {
  try {
    return String(JSON.parse(part));
  } catch {
    return null;
  }
}
