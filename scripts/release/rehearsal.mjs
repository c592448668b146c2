// Tries the packages of a release as users do: published to private registries, installed in empty folders, and run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectNode, root } from '../project-node.mjs';
import { pythonEnvironment } from '../python-environment.mjs';
import { deployConstructs } from './deployment.mjs';
import { inEmptyFolder, json, scope } from './packages.mjs';
import { installed, runs, startIndex, startRegistry } from './private-registry.mjs';

/** Returns what was seen, in sentences. */
export async function rehearse(packed, { version, python, wheels }) {
  const registry = await startRegistry(scope);
  try {
    // Provenance is signed by the CI that publishes.
    for (const { file } of Object.values(packed))
      await runs(['npm', 'publish', file, '--provenance=false'], { cwd: root, env: registry.environment });
    const tried = [tryCommandLine, tryLocalService, deployConstructs];
    const seen = [];
    for (const one of tried) seen.push(await inEmptyFolder((place) => one(place, registry.environment, version)));
    if (python) seen.push(await inEmptyFolder((place) => tryExporters(place, python, wheels)));
    return seen;
  } finally {
    registry.stop();
  }
}

async function tryCommandLine(place, env, version) {
  writeFileSync(path.join(place, 'package.json'), '{"type":"module"}');
  const names = ['cli', 'posthog', 'local', 'cdk'].map((name) => `${scope}/${name}`);
  await runs(['npm', 'install', '--legacy-peer-deps', ...names.map((name) => `${name}@${version}`)], {
    cwd: place,
    env,
  });
  for (const name of names) expectPublished(path.join(place, 'node_modules', name));
  expect((await runs(['npm', 'exec', '--', 'tributary', '--version'], { cwd: place, env })).trim(), version);
  const options = `import * as options from '${scope}/posthog'; console.log(Object.keys(options).length > 0)`;
  expect((await runs([projectNode, '--eval', options, '--input-type=module'], { cwd: place })).trim(), 'true');
  const entry = (name) => path.join(place, 'node_modules', scope, name, 'bin.mjs');
  const on = async (node, args, status) =>
    runs([path.join(await installed(`node@${node}`), 'node_modules', 'node', 'bin', 'node'), ...args], { status });
  const words = (name, needed, node) => `${name} needs Node ${needed} or later; this is Node ${node}.`;
  expect((await on('20.15.0', [entry('cli'), '--version'], 0)).trim(), version);
  expect((await on('20.0.0', [entry('cli'), '--version'], 2)).trim(), words('tributary', '20.15', '20.0.0'));
  expect((await on('20.0.0', [entry('local'), '--help'], 0)).split('\n')[0], 'Runs the whole service on this machine.');
  expect((await on('18.20.8', [entry('local')], 2)).trim(), words('tributary-local', '20.0', '18.20.8'));
  return 'The packages install from a private registry, and refuse a Node that is too old in a sentence.';
}

/** Throws if an installed package still depends on a path, a link or a workspace, or runs a script. */
function expectPublished(folder) {
  const manifest = json(path.join(folder, 'package.json'));
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const versions = Object.values({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const local = versions.filter((one) => /^(file|link|workspace|git)|[/\\]/.test(one));
  if (local.length > 0) throw new Error(`${manifest.name} depends on ${local.join(', ')}.`);
  if (manifest.scripts) throw new Error(`${manifest.name} has scripts.`);
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    if (globSync(file, { cwd: folder }).length === 0) throw new Error(`${manifest.name} has no ${file}.`);
}

/** Starts the service as the README says, and runs the first command that it prints. */
async function tryLocalService(place, env) {
  const began = Date.now();
  const service = spawn('npx', ['--yes', `${scope}/local`, '--port', '0', '--in-memory'], {
    cwd: place,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let printed = '';
  try {
    for await (const chunk of service.stdout) {
      printed += chunk;
      if (printed.includes('Ctrl-C stops it.')) break;
    }
    const seconds = (Date.now() - began) / 1_000;
    for (const answer of ['breaks with it: 6', '"type":"track"', '"status":"accepted"', '1 breaking and 0 risky'])
      if (!printed.includes(answer)) throw new Error(`The local service did not print ${answer}:\n${printed}`);
    const [, typed = ''] = /^ {2}npx (.*\/cli .*)$/m.exec(printed) ?? [];
    const impact = await runs(['npx', '--yes', ...typed.split(' ')], { cwd: place, env });
    if (!impact.includes('breaks with it: 6')) throw new Error(`The printed command answers:\n${impact}`);
    return `npx ${scope}/local printed its answers after ${seconds.toFixed(1)} s in an empty folder.`;
  } finally {
    // As Ctrl-C does.
    if (service.exitCode === null) process.kill(-service.pid, 'SIGINT');
    if (service.exitCode === null) await once(service, 'exit');
  }
}

/** Uploads the exporters to a Python index of this machine, installs them from it in an empty environment, and runs them. */
async function tryExporters(place, python, files) {
  const index = await startIndex(python);
  try {
    const twine = path.join(python, 'twine');
    await runs([twine, 'check', '--strict', ...files]);
    const account = ['--repository-url', index.address, '--username', 'any', '--password', 'any'];
    await runs([twine, 'upload', '--non-interactive', '--disable-progress-bar', ...account, ...files]);
    await runs(['python3', '-m', 'venv', path.join(place, 'venv')]);
    const commands = path.join(place, 'venv', 'bin');
    const exporters = ['tributary-sqlmesh-export', 'tributary-datahub-export'];
    // The versions of SQLMesh are tested by `npm run test:exporters`; here only that pip finds and builds nothing else.
    await runs([
      path.join(commands, 'pip'),
      'install',
      '--quiet',
      '--extra-index-url',
      `${index.address}simple/`,
      ...exporters,
    ]);
    const project = path.join(root, 'test', 'fixtures', 'sqlmesh', 'shop');
    const file = path.join(place, 'project.json');
    await runs([path.join(commands, 'tributary-sqlmesh-export'), project, '--output', file]);
    if (!readFileSync(file, 'utf8').includes('service.sqlmesh-project@v1')) throw new Error('No project was exported.');
    await runs([path.join(commands, 'tributary-datahub-export'), '--url', index.address], {
      status: 5,
    });
    return 'The exporters install from a Python index and run.';
  } finally {
    index.stop();
  }
}

/** The environment of Python that builds, uploads and serves packages, or null if there is none. */
export const pythonTools = () =>
  pythonEnvironment('python-release', ['hatchling==1.27.0', 'pypiserver==2.4.2', 'twine==7.0.0']);

function expect(seen, wanted) {
  if (seen !== wanted) throw new Error(`The release answers ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}.`);
}
