// Makes the packages of a release in dist/release, with bills of materials, checksums and notes. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import './ensure-installed.mjs';
import { root } from './project-node.mjs';
import { pythonEnvironment } from './python-environment.mjs';
import { billOf } from './release/bill-of-materials.ts';
import { changesOf, releaseVersion } from './release/versions.ts';

const folder = path.join(root, 'dist', 'release');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const write = (file, text) => writeFileSync(path.join(folder, file), text);
const npm = (...args) => execFileSync('npm', ['--silent', ...args], { cwd: root, encoding: 'utf8' });

const version = releaseVersion(root);
const changes = changesOf(read('CHANGELOG.md'), version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ['cli', 'sdk']) npm('pack', `./${name}`, '--pack-destination', folder);
if (!process.argv.includes('--node-only')) buildExporters(['sqlmesh', 'datahub']);
writeBills();
write('NOTES.md', changes);
const command = trySmallPackage(path.join(folder, `tributary-${version}.tgz`));
writeChecksums();
for (const file of readdirSync(folder).sort())
  console.log(`${String(statSync(path.join(folder, file)).size).padStart(9)}  ${file}`);
console.log(`dist/release holds ${version}; ${command}. Nothing is published.`);

function buildExporters(names) {
  const commands = pythonEnvironment('hatchling', ['hatchling==1.27.0']);
  if (!commands)
    throw new Error('A release has packages for Python: python3 with venv and its package index is needed.');
  for (const name of names)
    execFileSync(
      path.join(commands, 'hatchling'),
      ['build', '--directory', folder, '--target', 'sdist', '--target', 'wheel'],
      {
        cwd: path.join(root, 'exporters', name),
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
}

/** The service is deployed from a checkout, so that its bill lists what the lock file does. */
function writeBills() {
  const everything = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const bundled = JSON.parse(read('cli/dist/packages.json'));
  const bill = (released, parts) => `${JSON.stringify(billOf(everything, released, parts), null, 1)}\n`;
  write('tributary-service.cdx.json', bill(JSON.parse(read('package.json')), everything.components));
  write('tributary.cdx.json', bill(JSON.parse(read('cli/package.json')), bundled));
}

/** Installs the command line where there is nothing else, without a network, and returns the version that it prints. */
function trySmallPackage(tarball) {
  const bytes = statSync(tarball).size;
  if (bytes > 3_000_000) throw new Error(`The command line has ${bytes} bytes, more than 3 MB.`);
  const place = mkdtempSync(path.join(tmpdir(), 'release-'));
  try {
    writeFileSync(path.join(place, 'package.json'), '{}');
    const install = ['install', '--silent', '--offline', '--no-audit', '--no-fund', tarball];
    execFileSync('npm', install, { cwd: place });
    const says = execFileSync(path.join(place, 'node_modules', '.bin', 'tributary'), ['--version'], {
      encoding: 'utf8',
    });
    if (says.trim() !== version) throw new Error(`The packed command says ${says.trim()}, not ${version}.`);
  } finally {
    rmSync(place, { recursive: true });
  }
  return `the command line has ${(bytes / 1e6).toFixed(2)} MB packed, and runs in an empty folder`;
}

function writeChecksums() {
  const sum = (file) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  write(
    'SHA256SUMS',
    readdirSync(folder)
      .sort()
      .map((file) => `${sum(file)}  ${file}\n`)
      .join(''),
  );
}
