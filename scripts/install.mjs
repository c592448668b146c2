// Installs dependencies where they are missing or not those of the lock file. Plain JavaScript for Node 20: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const mark = path.join(root, 'node_modules', '.installed-from');
const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const all = createHash('sha256').update(lock).digest('hex');
const service = `${all} without development`;

/** What the service runs with on a laptop, which is three quarters of the files. */
export function ensureServiceInstalled() {
  if (![service, all].includes(marked()) && !isInstalled(({ dev }) => !dev, service))
    install(['ci', '--omit=dev'], service);
}

/** The same, and what tests and deploys it. */
export function ensureInstalled() {
  if (marked() === all || isInstalled(() => true, all)) return;
  // npm ci would remove what is there.
  install(marked() === service ? ['install', '--no-save'] : ['ci'], all);
}

const marked = () => (existsSync(mark) ? readFileSync(mark, 'utf8') : null);

/** npm keeps the lock file of what it installed: where that holds the same packages, an own `npm install` is as good. */
function isInstalled(isNeeded, state) {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'));
  const same = Object.entries(JSON.parse(lock).packages).every(
    ([name, one]) => name === '' || one.optional || one.os || !isNeeded(one) || packages[name]?.version === one.version,
  );
  if (same) writeFileSync(mark, state);
  return same;
}

function install(words, state) {
  console.error(`Installing dependencies (npm ${words.join(' ')}) …`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Errors alone: packages warn of the machine's Node, which only runs npm; they run on the one that is installed here.
  const { status } = spawnSync(npm, [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, state);
}
