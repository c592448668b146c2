import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceOf } from '../../cli/admin/command.ts';
import { openRegistry } from '../../cli/admin/open-registry.ts';
import { freePort } from '../../local/emulators/free-port.ts';
import { hashOf } from '../../shared/domain/workspaces/access/secret.ts';
import { commandJson } from '../support/command-line.ts';
import { startProcess } from '../support/service-process.ts';

/** Starts a local service with a project that SDKs send to. It can be killed and started again with its data. */
export async function startCollection() {
  const data = mkdtempSync(path.join(tmpdir(), 'sdks-'));
  const options = ['--data', data, '--seed', 'conformance'];
  let running = startProcess(options);
  let restarts: Promise<void> | null = null;
  const restart = async () => {
    const before = running;
    // What several proxies ask for at once is one restart.
    restarts ??= before.then(async ({ end }) => {
      const killed = end('SIGKILL');
      running = killed.then(() => startProcess(options));
      await running;
      restarts = null;
    });
    await restarts;
  };
  const pagePort = await freePort();
  const { file } = await running;
  const admin = (...args: readonly string[]) => commandJson(['admin', ...args, '--credentials', file]);
  const production = ['acme', 'sdks', '--environment', 'production'];
  const { key } = await admin('projects', 'create', ...production, '--origin', `http://localhost:${pagePort}`).then(
    () => admin('project-keys', 'create', 'acme', 'sdks', 'all', '--environment', 'production'),
  );
  const stored = async (column: string): Promise<readonly string[]> => {
    const sql = `select ${column} as found from events`;
    const args = ['--workspace', 'acme', '--credentials', (await running).file, '--wait', '--sql', sql];
    const output = execFileSync(process.execPath, [path.resolve('cli', 'events.ts'), ...args], { encoding: 'utf8' });
    return output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).found as string]));
  };
  return {
    key: key as string,
    pagePort,
    url: async () => (await running).credentials.base_url,
    restart,
    credentials: async () => (await running).file,
    /** The record of the key. */
    projectKey: async () => {
      const { ports } = await openRegistry({ credentials: (await running).file });
      const workspace = await workspaceOf(ports.registry, 'acme');
      const found = (await ports.registry.projectKeys.list(workspace.id)).find(({ hash }) => hash === hashOf(key));
      if (found === undefined) throw new Error('the key of the SDKs is not registered');
      return found;
    },
    /** The mark of each stored event. */
    storedMarks: () =>
      stored("coalesce(json_extract_string(properties, '$.mark'), json_extract_string(traits, '$.mark'))"),
    storedIds: () => stored('id'),
    stop: async () => {
      await (await running).end('SIGTERM');
      rmSync(data, { recursive: true });
    },
  };
}
