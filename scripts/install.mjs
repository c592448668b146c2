// Installs dependencies where they are missing or not those of the lock file. Plain JavaScript for Node 20: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const mark = path.join(root, 'node_modules', '.installed-from');
/** What npm reads instead of the lock file, if it is there. */
const addressed = path.join(root, 'npm-shrinkwrap.json');
const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const all = createHash('sha256').update(lock).digest('hex');
const service = `${all} without development`;

/** What the service runs with on a laptop, which is half of the files. */
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

/** npm keeps a lock file of the installed packages: if it has the same ones, `npm install` is not needed. */
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
  const settings = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  let ended = withAddresses(() => npm([...words, ...settings], [2, 2]));
  // A registry may keep its files at other addresses.
  if (ended.status !== 0 && ended.signal === null) ended = npm([...words, ...settings], [2, 2]);
  if (ended.status !== 0) process.exit(ended.status ?? 1);
  writeFileSync(mark, state);
}

/**
 * Does something while npm reads the lock file with the addresses of the machine's registry, which the file does not
 * name: without them npm first asks for all versions of each package, which is half of an installation.
 */
function withAddresses(work) {
  const registry = npm(['config', 'get', 'registry'], ['pipe', 'ignore']).stdout.toString().trim();
  const { packages, ...others } = JSON.parse(lock);
  for (const [place, locked] of Object.entries(packages)) {
    const name = place.replace(/^.*node_modules\//, '');
    const file = `${path.posix.basename(name)}-${locked.version}.tgz`;
    if (name !== '') locked.resolved = new URL(`${name}/-/${file}`, registry).href;
  }
  // npm has the signal too, and ends: this process goes on to clean up.
  const exit = () => process.exit(1);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, exit);
  writeFileSync(addressed, JSON.stringify({ ...others, packages }));
  try {
    return work();
  } finally {
    rmSync(addressed, { force: true });
    // Handle signals that arrived meanwhile first, then restore the previous handlers.
    setImmediate(() => signals.map((signal) => process.off(signal, exit)));
  }
}

/** Only its errors: packages warn of the machine's Node, which only runs npm; they run on the one that is installed here. */
function npm(words, outputs) {
  const isWindows = process.platform === 'win32';
  return spawnSync(isWindows ? 'npm.cmd' : 'npm', words, {
    cwd: root,
    stdio: ['ignore', ...outputs],
    shell: isWindows,
  });
}
