import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { CodeHostAccess, Seeded } from '../../local/credentials.ts';
import { LocalStores } from '../../shared/contract/stack-outputs.ts';

const main = path.resolve(import.meta.dirname, '..', '..', 'local', 'main.ts');

const CredentialsFile = v.object({
  base_url: v.string(),
  sign_in_url: v.string(),
  local: LocalStores,
  code_host: v.exactOptional(CodeHostAccess),
  ...Seeded.entries,
});
export type ServiceCredentials = v.InferOutput<typeof CredentialsFile>;

export type ServiceProcess = {
  readonly credentials: ServiceCredentials;
  readonly file: string;
  readonly pid: number;
  /** Ends the process by a signal, and answers its exit code: null if the signal killed it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
};

/** The local service as its users start it, in its own process on a free port. */
export async function startProcess(options: readonly string[]): Promise<ServiceProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'service-'));
  const file = path.join(folder, 'credentials.json');
  const child = launch(['--port', '0', '--credentials', file, ...options]);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    rmSync(folder, { recursive: true });
    return code;
  };
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error('The local service did not start.');
    await after(50);
  }
  const credentials = v.parse(CredentialsFile, JSON.parse(readFileSync(file, 'utf8')));
  return { credentials, file, pid: child.pid ?? 0, end };
}

/** Starts a service that cannot start, and answers its exit code and what it says. */
export async function failToStart(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; says: string }> {
  const child = launch(['--port', '0', ...options], { stdio: ['ignore', 'ignore', 'pipe'], environment });
  let says = '';
  child.stderr?.on('data', (bytes) => {
    says += bytes;
  });
  const [code] = await once(child, 'close');
  return { code, says };
}

type Launch = { readonly stdio: StdioOptions; readonly environment?: Readonly<Record<string, string>> };

const launch = (
  options: readonly string[],
  { stdio, environment = {} }: Launch = { stdio: ['ignore', 'ignore', 'inherit'] },
): ChildProcess =>
  spawn(process.execPath, [...preloaded(), main, ...options], { stdio, env: { ...process.env, ...environment } });

/** What `npm run deploy:check` has each thread of a service load first. */
const preloaded = (): readonly string[] => {
  const module = process.env['PRELOADED'];
  return module ? ['--import', module] : [];
};

/** Whether anybody listens at a URL's port. */
export async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
