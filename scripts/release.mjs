// Makes the packages of a release in dist/release, with bills of materials, lists of licences, checksums and notes. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import './ensure-installed.mjs';
import { root } from './project-node.mjs';
import { pythonEnvironment } from './python-environment.mjs';
import { billOf, licencesOf } from './release/bill-of-materials.ts';
import { packPackages, rehearse } from './release/packages.mjs';
import { changesOf, releaseVersion } from './release/versions.ts';

const folder = path.join(root, 'dist', 'release');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const write = (file, text) => writeFileSync(path.join(folder, file), text);
const npm = (...args) => execFileSync('npm', ['--silent', ...args], { cwd: root, encoding: 'utf8' });

const version = releaseVersion(root);
const changes = changesOf(read('CHANGELOG.md'), version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const tarballs = packPackages(folder);
if (!process.argv.includes('--node-only')) buildExporters(['sqlmesh', 'datahub']);
writeBills();
write('NOTES.md', changes);
const seen = await rehearse(tarballs, version);
writeChecksums();
for (const file of readdirSync(folder).sort())
  console.log(`${String(statSync(path.join(folder, file)).size).padStart(9)}  ${file}`);
console.log(`dist/release holds ${version}; ${seen}. Nothing is published.`);

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
  for (const [name, manifest, parts] of [
    ['tributary-service', 'package.json', everything.components],
    ['tributary', 'cli/package.json', bundled],
  ]) {
    const bill = billOf(everything, JSON.parse(read(manifest)), parts);
    write(`${name}.cdx.json`, `${JSON.stringify(bill, null, 1)}\n`);
    write(`${name}.licences.txt`, licencesOf(bill));
  }
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
