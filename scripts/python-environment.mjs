// Virtual environments of Python for checks, kept in the checkout until what they are made from changes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project-node.mjs';

/**
 * The folder with the commands of an environment that has what pip is requested, or null where Python or its package
 * index is not there. `madeFrom` is the text that has the environment made anew when it changes.
 */
export function pythonEnvironment(name, packages, madeFrom = packages.join('\n')) {
  const environment = path.join(root, '.cache', name);
  const mark = path.join(environment, '.installed-from');
  const commands = path.join(environment, 'bin');
  const wanted = createHash('sha256').update(madeFrom).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return commands;
  rmSync(environment, { recursive: true, force: true });
  const installed =
    succeeds('python3', ['-m', 'venv', environment]) &&
    succeeds(path.join(commands, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  if (installed) writeFileSync(mark, wanted);
  return installed ? commands : null;
}

/** Runs a program, whose messages go to standard error. */
export function succeeds(program, args) {
  return spawnSync(program, args, { stdio: ['ignore', 2, 2] }).status === 0;
}
