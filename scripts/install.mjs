// Installs dependencies where they are missing or not those of the lock file. Plain JavaScript for Node 20: nothing is installed yet.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = path.join(root, 'node_modules', '.installed-from');
/** What npm reads instead of the lock file, if it is there. */
const instead = path.join(root, 'npm-shrinkwrap.json');
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
  console.error(`Installing dependencies (npm ${words.join(' ')}). This can take some minutes …`);
  const locked = JSON.parse(lock).packages;
  const { packages, refused } = isUnverifiedAllowed ? { packages: locked, refused: [] } : verifiable(locked);
  const here = refused.filter(({ os, cpu }) => isFor(os, process.platform) && isFor(cpu, process.arch));
  if (here.length > 0)
    console.error(
      `Not installed: ${here.map(({ name }) => name).join(', ')}. The lock file has no digest of it, so nobody would notice if it was changed. To install it unchecked, set TRIBUTARY_UNVERIFIED=allow and try again. To check it from now on, run node scripts/complete-lock-file.mjs with a registry that serves it, and commit the digests.`,
    );
  const registry = npm(['config', 'get', 'registry'], ['pipe', 'ignore']).stdout.toString().trim();
  const settings = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npmWith = (all, errors) => withLockFile(all, () => npm([...words, ...settings], [2, errors]));
  let ended = npmWith(withAddresses(packages, registry), 'ignore');
  // A registry may keep its files at other addresses.
  if (ended.status !== 0 && ended.signal === null) ended = npmWith(packages, 2);
  if (ended.status !== 0) process.exit(ended.status ?? 1);
  console.error('Dependencies are installed. Going on …');
  writeFileSync(mark, state);
}

/** Set by a person who trusts the registry for the packages of this machine without a digest. */
const isUnverifiedAllowed = process.env['TRIBUTARY_UNVERIFIED'] === 'allow';

const isFor = (allowed, here) => allowed === undefined || [allowed].flat().includes(here);

/**
 * The packages of a lock file, of which npm installs those that have a digest: it leaves out what is optional and for
 * another system. Others than optional packages for a platform all have one (test/security/lock-file.test.ts).
 */
export function verifiable(packages) {
  const isLoose = ([, one]) => one.optional && !one.integrity && !one.inBundle;
  const loose = Object.entries(packages).filter(isLoose);
  const refused = loose.map(([place, { os, cpu }]) => ({ name: nameOf(place), os, cpu }));
  return {
    packages: { ...packages, ...Object.fromEntries(loose.map(([place, one]) => [place, { ...one, os: ['none'] }])) },
    refused,
  };
}

const nameOf = (place) => place.replace(/^.*node_modules\//, '');

/**
 * Packages with the addresses of a registry, which the lock file does not name: without them npm first asks for all
 * versions of each package, which is half of an installation. An alias is fetched by the name of its package.
 */
export function withAddresses(packages, registry) {
  const base = registry.endsWith('/') ? registry : `${registry}/`;
  const addressOf = (name, version) => `${base}${name}/-/${path.posix.basename(name)}-${version}.tgz`;
  const found = Object.entries(packages).map(([place, one]) => [
    place,
    place === '' ? one : { ...one, resolved: addressOf(one.name ?? nameOf(place), one.version) },
  ]);
  return Object.fromEntries(found);
}

/** Does something while npm reads these packages instead of those of the lock file. */
function withLockFile(packages, work) {
  // A signal ends npm as well: this process goes on to clean up.
  const exit = () => process.exit(1);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, exit);
  writeFileSync(instead, JSON.stringify({ ...JSON.parse(lock), packages }));
  try {
    return work();
  } finally {
    rmSync(instead, { force: true });
    // Signals that arrived meanwhile are handled first.
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
