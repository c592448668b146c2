// Adds to the lock file the optional platform packages that npm left out because the registry it was written from does not serve them:
// without them `npm ci` refuses the lock file, and on another platform the package would be missing. Then adds the digests and licences
// that the machine's registry has for those; `install.mjs` refuses a package without a digest.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix', 'win32'];
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];

for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (!isLocked(place, name)) lock.packages[`node_modules/${name}`] = optionalPackage(name, version, dev);
  }
}
for (const name of Object.keys(lock.packages['']?.optionalDependencies ?? {})) {
  if (name.startsWith('node-')) Object.assign(lock.packages[`node_modules/${name}`], nodeBinary(name));
}
for (const [place, found] of Object.entries(locked(undigested()))) {
  const { version, ...rest } = lock.packages[place];
  lock.packages[place] = { version, ...found, ...rest };
}
const missing = Object.keys(undigested());
if (missing.length > 0) console.error(`The registry serves no digest of ${missing.join(', ')}.`);
const sorted = Object.entries(lock.packages).sort(([left], [right]) => left.localeCompare(right, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);

/** What npm has to know of a Node before it has it: that it is linked, and that it does not run where musl is the C library. */
function nodeBinary(name) {
  const bin = { node: name.includes('-win-') ? 'bin/node.exe' : 'bin/node' };
  return name.includes('-linux-') ? { bin, libc: ['glibc'] } : { bin };
}

function undigested() {
  const loose = Object.entries(lock.packages).filter(
    ([place, one]) => place !== '' && !one.integrity && !one.inBundle && !one.link,
  );
  return Object.fromEntries(loose.map(([place, { version }]) => [place.replace(/^.*node_modules\//u, ''), version]));
}

/** The entries that npm writes for packages of all platforms in a separate lock file. Packages that the registry does not serve are missing. */
function locked(optionalDependencies) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lock-file-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, optionalDependencies }));
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
    const of = ({ integrity, license }) => ({ ...(integrity && { integrity }), ...(license && { license }) });
    const found = Object.entries(packages).filter(([place]) => lock.packages[place] && place !== '');
    return Object.fromEntries(found.map(([place, one]) => [place, of(one)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isLocked(place, name) {
  return (
    lock.packages[`node_modules/${name}`] !== undefined || lock.packages[`${place}/node_modules/${name}`] !== undefined
  );
}

function optionalPackage(name, version, dev) {
  const words = name.split(/[/-]/u);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(words.includes('musl') && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
