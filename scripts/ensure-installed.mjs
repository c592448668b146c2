// Installs the dependencies where they are missing or not those of the lock file. Plain JavaScript for Node 20: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const mark = path.join(root, 'node_modules', '.installed-from');
const wanted = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');

if (!isInstalled()) {
  console.error('Installing dependencies (npm ci) …');
  install();
}

function isInstalled() {
  return existsSync(mark) ? readFileSync(mark, 'utf8') === wanted : matchesLockFile();
}

/** npm keeps the lock file of what it installed: where that holds the same packages, an own `npm install` is as good. */
function matchesLockFile() {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'));
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const same = Object.entries(locked).every(
    ([name, { version, optional, os }]) => name === '' || optional || os || packages[name]?.version === version,
  );
  if (same) writeFileSync(mark, wanted);
  return same;
}

function install() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Errors alone: packages warn of the machine's Node, which only runs npm; they run on the one that is installed here.
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, wanted);
}
