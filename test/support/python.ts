import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = path.resolve(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'python');

/** A folder with a Python package and what it needs, installed once, or why there is none. */
export async function pythonPackage(name: string, version: string): Promise<{ folder: string } | { missing: string }> {
  const folder = path.join(cache, `${name}-${version}`);
  if (existsSync(folder)) return { folder };
  try {
    await run('python3', ['-m', 'pip', '--version']);
  } catch {
    return { missing: 'python3 with pip is not there' };
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--retries', '1', '--target', draft];
    await run('python3', ['-m', 'pip', 'install', ...options, `${name}==${version}`], { timeout: 90_000 });
    renameSync(draft, folder);
    return { folder };
  } catch {
    rmSync(draft, { recursive: true, force: true });
    return existsSync(folder) ? { folder } : { missing: `${name} cannot be installed` };
  }
}

/** Runs a script that finds the package, and answers what it printed. */
export async function python(
  packages: string,
  script: string,
  argument: unknown,
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const options = { env: { ...process.env, ...env, PYTHONPATH: packages }, timeout: 60_000 };
  const { stdout } = await run('python3', [script, JSON.stringify(argument)], options);
  return JSON.parse(stdout);
}
