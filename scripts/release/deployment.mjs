// Deploys a team's CDK app with the published constructs on an emulator of AWS, uses, updates and destroys it.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startIssuer } from '../../local/issuer/issuer.ts';
import { Account } from '../../test/deploy/account.ts';
import { startCloud } from '../../test/deploy/cloud.ts';
import { root } from '../project-node.mjs';
import { pythonEnvironment } from '../python-environment.mjs';
import { json, scope } from './packages.mjs';
import { runs } from './private-registry.mjs';

const app = `import { readFileSync } from 'node:fs';
import { TributaryAccount, type TenantSettings, TributaryTenant } from '${scope}/cdk';
import { App } from 'aws-cdk-lib/core';

const app = new App();
const settings: TenantSettings = JSON.parse(readFileSync('settings.json', 'utf8'));
new TributaryAccount(app);
const { service } = new TributaryTenant(app, 'acme', settings);
console.error(service.stackName);
`;

/** Returns what was seen, in a sentence. */
export async function deployConstructs(place, npmEnvironment, version) {
  await installApp(place, npmEnvironment, version);
  await checkTypes(place);
  const requirements = path.join(root, 'test', 'deploy', 'requirements.txt');
  const commands = pythonEnvironment('cloud-emulator', ['--requirement', requirements], readFileSync(requirements));
  if (!commands) return 'Without Python and its package index there is no emulator: the constructs are not deployed.';
  const [cloud, issuer] = await Promise.all([startCloud(path.join(commands, 'python')), startIssuer(null)]);
  try {
    const { HOME: _, ...environment } = cloud.environment;
    Object.assign(process.env, environment);
    const bin = (program) => path.join(place, 'node_modules', '.bin', program);
    const run = ([program, ...args], env = {}, cwd = place) => runs([bin(program), ...args], { cwd, env });
    const { issuer: name, audience, jwksUrl } = issuer;
    const own = { issuer: { issuer: name, audience, jwksUrl }, protected: false };
    return await deployUseUpdateDestroy({ place, cloud, issuer, run, own });
  } finally {
    await Promise.all([cloud.stop(), issuer.stop()]);
  }
}

async function installApp(place, env, version) {
  const { devDependencies } = json(path.join(root, 'package.json'));
  const others = ['aws-cdk', 'aws-cdk-lib', 'constructs', '@types/node'].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
  writeFileSync(path.join(place, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(place, 'cdk.json'), '{"app":"node app.ts","versionReporting":false,"notices":false}');
  writeFileSync(path.join(place, 'app.ts'), app);
  await runs(['npm', 'install', `${scope}/cdk@${version}`, `${scope}/cli@${version}`, ...others], { cwd: place, env });
}

/** The declarations allow the app in strict TypeScript, and refuse a setting that there is not. */
async function checkTypes(place) {
  writeFileSync(path.join(place, 'wrong.ts'), app.replace(', settings)', ', { alarmMail: "a@b.test" })'));
  const check = (file, status) => {
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', '--types', 'node', file];
    return runs([path.join(root, 'node_modules', '.bin', 'tsc'), ...options], { cwd: place, status });
  };
  await check('app.ts', 0);
  const refused = await check('wrong.ts', 1);
  if (!refused.includes('alarmMail')) throw new Error(`The declarations refuse something else: ${refused}`);
}

async function deployUseUpdateDestroy({ place, cloud, issuer, run, own }) {
  const account = new Account(cloud.endpoint);
  const outputs = path.join(place, 'outputs.json');
  const deploy = (settings) => {
    writeFileSync(path.join(place, 'settings.json'), JSON.stringify(settings));
    return run(['cdk', 'deploy', '--all', '--require-approval', 'never', '--ci', '-O', outputs]);
  };
  // In a folder without an app, whose settings would be needed.
  await run(['cdk', 'bootstrap', '--ci', 'aws://000000000000/us-east-1'], {}, cloud.folder);
  await deploy(own);
  const url = account.reachable(json(outputs)['Tributary-acme'].ApiUrl);
  const admin = async (...args) => JSON.parse(await run(['tributary', 'admin', ...args, '--tenant', 'acme', '--json']));
  await admin('workspaces', 'create', 'shop');
  await admin('members', 'add', 'shop', 'ann', '--role', 'admin', '--email', 'ann@shop.test');
  const names = ['--namespace', 'duckdb://shop', '--default-database', 'shop', '--default-schema', 'main'];
  await admin('connectors', 'create', 'shop', 'warehouse', '--kind', 'duckdb', ...names);
  await admin('projects', 'create', 'shop', 'web', '--environment', 'prod', '--origin', 'https://shop.test');
  const { key } = await admin('project-keys', 'create', 'shop', 'web', 'site', '--environment', 'prod');
  const asAnn = {
    TRIBUTARY_URL: url,
    TRIBUTARY_TOKEN: await issuer.tokenFor('ann', 'ann@shop.test'),
    TRIBUTARY_WORKSPACE: 'shop',
    TRIBUTARY_CONNECTOR: 'warehouse',
  };
  writeFileSync(path.join(place, 'run.json'), JSON.stringify(runOf('orders', 'revenue')));
  await run(['tributary', 'push', 'openlineage', 'run.json'], asAnn);
  await answering('revenue', () => run(['tributary', 'impact', 'orders', '--direction', 'downstream'], asAnn));
  await answering('202', () => collected(url, key));
  if (!(await deploy(own)).includes('(no changes)')) throw new Error('The same deployment changes something.');
  await deploy({ ...own, settings: { COLLECTION_ENABLED: 'false' } });
  await answering('503', () => collected(url, key));
  await answering('revenue', () => run(['tributary', 'impact', 'orders', '--direction', 'downstream'], asAnn));
  await run(['cdk', 'destroy', '--force', '--all']);
  const { stacks, functions, tables } = await account.left('acme');
  if (stacks + functions > 0 || tables !== 2) throw new Error('Destroying left a stack, or took the data.');
  return 'The constructs were deployed from the package on an emulator of AWS, used, updated and destroyed.';
}

const runOf = (input, output) => ({
  eventTime: new Date().toISOString(),
  eventType: 'COMPLETE',
  producer: 'https://example.test/producer',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: randomUUID() },
  job: { namespace: 'jobs', name: 'load' },
  inputs: [{ namespace: 'duckdb://shop', name: `shop.main.${input}` }],
  outputs: [{ namespace: 'duckdb://shop', name: `shop.main.${output}` }],
});

async function collected(url, project_key) {
  const event = { id: randomUUID(), type: 'track', event: 'bought', user_id: 'u', timestamp: '2026-01-01T00:00:00Z' };
  const { status } = await fetch(`${url}/collect/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_key, events: [event] }),
  });
  return String(status);
}

/** Asks until the answer has the words. Throws with the last one after a minute. */
async function answering(words, ask) {
  let answer = '';
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await setTimeout(500)) {
    answer = await ask().catch(String);
    if (answer.includes(words)) return;
  }
  throw new Error(`No answer has ${words}: ${answer}`);
}
