// The npm packages of a release: built in empty folders and packed under the scope that package.json names.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleChangedFunctions, parserFiles } from '../../lib/bundle-functions.ts';
import { functionNames } from '../../lib/function-specs.ts';
import { tenantSchema } from '../../lib/tenant.ts';
import { typeOf } from '../client-types.ts';
import { root } from '../project-node.mjs';
import { bundle, packagesOfFunctions, writeLicences } from './bundle.mjs';

export const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifest = json(path.join(root, 'package.json'));
export const { scope } = manifest.tributary;
const functions = path.join(root, 'dist', 'functions');
const fromRoot = (names) => Object.fromEntries(names.map((name) => [name, versionOf(name)]));
const versionOf = (name) => ({ ...manifest.dependencies, ...manifest.devDependencies })[name];

/**
 * What is packed, by the name in the scope: its folder, the largest size of its file, and how the rest of its content is
 * built. `build` returns the folders of the packages that it bundles.
 */
const released = {
  cli: { folder: 'cli', maxBytes: 9e6, build: buildCommandLine },
  posthog: { folder: 'sdk', maxBytes: 1e5, build: copySdk },
  local: {
    folder: 'packages/local',
    maxBytes: 15e6,
    build: buildLocal,
    needs: () => ({
      dependencies: fromRoot(['@duckdb/node-api']),
      optionalDependencies: manifest.optionalDependencies,
    }),
  },
  cdk: {
    folder: 'packages/cdk',
    maxBytes: 25e6,
    build: buildConstructs,
    needs: () => ({ peerDependencies: ranges(['aws-cdk-lib', 'constructs']) }),
  },
};
const ranges = (names) => Object.fromEntries(names.map((name) => [name, `^${versionOf(name)}`]));

/** Packs all of them into a folder. Returns each with its manifest, the path of its file and the packages in it. */
export async function packPackages(output) {
  await bundleChangedFunctions(functionNames);
  const packed = {};
  for (const name of Object.keys(released)) packed[name] = await packPackage(name, output);
  return packed;
}

/** Packs one of them. */
export async function packPackage(name, output) {
  const one = released[name];
  const { folder } = one;
  return inEmptyFolder(async (staged) => {
    for (const file of ['package.json', 'README.md', 'SKILL.md'].filter((one) =>
      existsSync(path.join(root, folder, one)),
    ))
      cpSync(path.join(root, folder, file), path.join(staged, file));
    for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(path.join(root, file), path.join(staged, file));
    const parts = writeLicences(await one.build(staged), path.join(staged, 'THIRD-PARTY-LICENSES.txt'));
    const finished = finishManifest(staged, one.needs?.() ?? {});
    expectNoPlaceOfTheCheckout(staged);
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', output], {
        cwd: staged,
        encoding: 'utf8',
      }),
    );
    const file = path.join(output, filename);
    const bytes = statSync(file).size;
    if (bytes > one.maxBytes) throw new Error(`${finished.name} has ${bytes} bytes, more than ${one.maxBytes}.`);
    return { file, manifest: finished, parts };
  });
}

/** The repository's manifests and documents have a scope; a release has the one of `tributary.scope`. */
function finishManifest(staged, needs) {
  const file = path.join(staged, 'package.json');
  const written = json(file).name.split('/')[0];
  const readme = path.join(staged, 'README.md');
  writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll(`${written}/`, `${scope}/`));
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const finished = {
    ...json(file),
    name: json(file).name.replace(written, scope),
    // npm compares it with the repository that signs the provenance.
    ...(repository && { repository: { type: 'git', url: `git+${server}/${repository}.git` } }),
    ...needs,
  };
  writeFileSync(file, JSON.stringify(finished, null, 2));
  return finished;
}

/** Throws if a file names the checkout's folder: it would be of no use, and it tells where the release was made. */
function expectNoPlaceOfTheCheckout(staged) {
  const texts = globSync('**/*.{js,mjs,json,ts,map,md}', { cwd: staged });
  const naming = texts.filter((file) => readFileSync(path.join(staged, file), 'utf8').includes(root));
  if (naming.length > 0) throw new Error(`The package names a folder of this machine in ${naming.join(', ')}.`);
}

const copyEntry = (staged) => cpSync(path.join(root, 'scripts', 'release', 'bin.mjs'), path.join(staged, 'bin.mjs'));
/** Needs stores to try things in: a checkout has them. */
const rebuild = 'cli/admin/rebuild';

/** With the SQL parser beside it: the command compares files without a service. */
async function buildCommandLine(staged) {
  copyEntry(staged);
  for (const [name, file] of companionFiles()) cpSync(file, path.join(staged, 'dist', name));
  const bundled = await bundle({
    output: path.join(staged, 'dist'),
    entries: { main: 'cli/tributary.ts', 'analysis-thread': 'cli/offline/analysis-thread.ts' },
    external: ['@duckdb/node-api'],
    leftOut: new RegExp(`/${rebuild}\\.ts$`),
  });
  return [...bundled, 'node_modules/@polyglot-sql/sdk'];
}

function copySdk(staged) {
  for (const file of readdirSync(path.join(root, 'sdk')).filter((one) => /\.(js|d\.ts)$/.test(one)))
    cpSync(path.join(root, 'sdk', file), path.join(staged, file));
  return [];
}

/** The local service, with the folders of the checkout that it reads at run time. */
async function buildLocal(staged) {
  copyEntry(staged);
  mkdirSync(path.join(staged, 'cli', 'events'), { recursive: true });
  cpSync(path.join(root, 'cli/events/views.sql'), path.join(staged, 'cli/events/views.sql'));
  for (const folder of ['seed/sample', 'template/generated', 'emulators/dynamodb-local'])
    cpSync(path.join(root, 'local', folder), path.join(staged, 'local', folder), { recursive: true });
  copyFunctions(staged, (file) => !file.endsWith('.map'));
  const bundled = await bundle({
    output: path.join(staged, 'dist'),
    entries: {
      main: 'scripts/release/local-command.mjs',
      start: 'local/start.ts',
      'fauxqs-thread': 'local/emulators/fauxqs-thread.ts',
      'dynamodb-guard-thread': 'local/emulators/dynamodb-guard-thread.ts',
      'function-thread': 'local/lambda/function-thread.ts',
      tributary: 'cli/tributary.ts',
      'analysis-thread': 'cli/offline/analysis-thread.ts',
      events: 'cli/events.ts',
      'pull-request': 'scripts/pull-request.ts',
    },
    external: ['@duckdb/node-api'],
    leftOut: new RegExp(`/(${rebuild}|local/synthesize|lib/bundle-functions)\\.ts$`),
  });
  return [...bundled, ...packagesOfFunctions(functions)];
}

async function buildConstructs(staged) {
  cpSync(path.join(root, 'packages', 'cdk', 'index.d.ts'), path.join(staged, 'index.d.ts'));
  writeFileSync(path.join(staged, 'settings.d.ts'), `export type TenantSettings = ${typeOf(tenantSchema())};\n`);
  copyFunctions(staged);
  const bundled = await bundle({
    output: path.join(staged, 'dist'),
    entries: { index: 'lib/tributary-tenant.ts' },
    external: ['aws-cdk-lib', 'constructs'],
    format: 'cjs',
  });
  return [...bundled, ...packagesOfFunctions(functions)];
}

/** The SQL parser is in seven bundles: a package has it once, and the list of these bundles. */
function copyFunctions(staged, isCopied = () => true) {
  const [copies, shared] = ['functions', 'companions'].map((name) => path.join(staged, 'dist', name));
  for (const name of functionNames)
    cpSync(path.join(functions, name), path.join(copies, name), {
      recursive: true,
      filter: (file) => isCopied(file) && !companions.test(file),
    });
  for (const [name, file] of companionFiles()) cpSync(file, path.join(shared, name));
  const files = globSync('*/*.{wasm,mjs}', { cwd: functions }).filter((file) => companions.test(file));
  writeFileSync(path.join(shared, 'users.json'), JSON.stringify([...new Set(files.map((file) => path.dirname(file)))]));
}

/** The files of the SQL parser, by name. */
const companionFiles = () => Object.entries(parserFiles).map(([name, file]) => [name, path.join(root, file)]);

const companions = /[/\\](polyglot_sql\.wasm|manual\.mjs)$/;

export async function inEmptyFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
