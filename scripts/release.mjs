// Makes the packages of a release in dist/release, with bills of materials, lists of licences, checksums and notes, and tries them. Publishes nothing.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import './ensure-installed.mjs';
import { root } from './project-node.mjs';
import { billOf, licencesOf } from './release/bill-of-materials.ts';
import { packPackages } from './release/packages.mjs';
import { runs } from './release/private-registry.mjs';
import { pythonTools, rehearse } from './release/rehearsal.mjs';
import { changesOf, releaseVersion, setVersion } from './release/versions.ts';

const usage = `npm run release -- [--tag vVERSION | --set VERSION | --pack]

Packs what is released, with bills of materials, checksums and notes, into dist/release, and tries it as users would.

  --tag  refuses anything but a clean checkout of this tag
  --pack only packs the npm packages, and tries nothing
  --set  only writes a version into all packages; then run npm run openapi, describe the version in CHANGELOG.md, commit, tag
`;
const folder = path.join(root, 'dist', 'release');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const write = (file, text) => writeFileSync(path.join(folder, file), text);

const { values } = parseArgs({
  options: {
    tag: { type: 'string' },
    set: { type: 'string' },
    pack: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(usage);
else if (values.set) setVersion(root, values.set);
else await release();

async function release() {
  const version = releaseVersion(root);
  if (values.tag) await expectTag(values.tag, version);
  const changes = changesOf(read('CHANGELOG.md'), version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await packPackages(folder);
  if (values.pack) return;
  const python = pythonTools();
  const wheels = python ? await buildExporters(python) : [];
  await writeBills(packed);
  write('NOTES.md', changes);
  const seen = await rehearse(packed, { version, python, wheels });
  writeChecksums();
  for (const file of readdirSync(folder).sort())
    console.log(`${String(statSync(path.join(folder, file)).size).padStart(9)}  ${file}`);
  for (const sentence of seen) console.log(sentence);
  if (!python) console.log('Without Python and its package index the exporters are not packed.');
  printPublishing(packed, wheels);
}

async function expectTag(tag, version) {
  if (tag !== `v${version}`) throw new Error(`The packages have version ${version}, which is not that of the tag.`);
  const git = async (...args) => (await runs(['git', ...args], { cwd: root })).trim();
  if ((await git('status', '--porcelain')) !== '') throw new Error('The checkout has changes: commit or stash them.');
  const [head, tagged] = [await git('rev-parse', 'HEAD'), await git('rev-list', '-n', '1', tag)];
  if (head !== tagged) throw new Error(`The checkout is not at ${tag}: git checkout ${tag}`);
  if (/^## \[?.*\]? - Unreleased$/m.exec(read('CHANGELOG.md'))?.[0].includes(version))
    throw new Error(`CHANGELOG.md says that ${version} is unreleased: write its date.`);
}

async function buildExporters(commands) {
  const targets = ['--target', 'sdist', '--target', 'wheel'];
  for (const name of ['sqlmesh', 'datahub', 'warehouse'])
    await runs([path.join(commands, 'hatchling'), 'build', '--directory', folder, ...targets], {
      cwd: path.join(root, 'exporters', name),
    });
  const files = readdirSync(folder).filter((file) => /\.(whl|tar\.gz)$/.test(file));
  return files.map((file) => path.join(folder, file));
}

/** Of the service as a checkout deploys it, and of each package that bundles or needs others. */
async function writeBills(packed) {
  const sbom = ['npm', '--silent', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const everything = JSON.parse(await runs(sbom, { cwd: root }));
  const writeBill = (name, manifest, parts) => {
    const bill = billOf(everything, manifest, parts);
    write(`${name}.cdx.json`, `${JSON.stringify(bill, null, 1)}\n`);
    write(`${name}.licences.txt`, licencesOf(bill));
  };
  writeBill('tributary-service', JSON.parse(read('package.json')), everything.components);
  for (const { file, manifest, parts } of Object.values(packed)) {
    const needed = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
    const all = [...parts, ...needed.map(([name, version]) => ({ name, version }))];
    writeBill(path.basename(file, '.tgz'), manifest, all);
  }
}

function writeChecksums() {
  const sum = (file) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  const lines = readdirSync(folder)
    .sort()
    .map((file) => `${sum(file)}  ${file}\n`);
  write('SHA256SUMS', lines.join(''));
}

/** Publishing is for a person, or for the CI that signs the provenance. */
function printPublishing(packed, wheels) {
  console.log(
    `Nothing is published. ${values.tag ? 'To publish' : 'From a checkout of the tag, to publish'}, in dist/release:`,
  );
  console.log('  sha256sum --check SHA256SUMS');
  for (const { file } of Object.values(packed)) console.log(`  npm publish ./${path.basename(file)}`);
  if (wheels.length > 0) console.log(`  twine upload ${wheels.map((file) => path.basename(file)).join(' ')}`);
}
