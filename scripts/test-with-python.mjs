// Runs the tests that need programs of Python, which it installs into virtual environments:
// `exporters` tests the exporters, installed as their users install them, beside the oldest and the newest SQLMesh that they take;
// `deploy` checks the templates, and deploys, uses, updates and destroys the stack on an emulator of AWS.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';
import { pythonEnvironment, succeeds } from './python-environment.mjs';

const [what, ...options] = process.argv.slice(2);
if (what === 'exporters') testExporters();
else if (what === 'deploy') checkDeployment();
else throw new Error('usage: test-with-python.mjs exporters|deploy [OPTION...]');

function testExporters() {
  // The oldest leaves open which versions it needs of packages that the newest bounds.
  const versions = new Map([
    ['0.200.0', ['dateparser<=1.2.1', 'duckdb<2', 'pandas<3']],
    ['0.236.4', []],
  ]);
  const exporters = ['sqlmesh', 'datahub', 'warehouse'].map((name) => path.join(root, 'exporters', name));
  const install = ['install', '--quiet', '--disable-pip-version-check', '--no-index', '--no-build-isolation'];
  for (const [version, beside] of versions) {
    const packages = [`sqlmesh==${version}`, ...beside, 'hatchling==1.27.0', 'psycopg[binary]==3.3.9'];
    const commands = pythonEnvironment(`sqlmesh-${version}`, packages);
    if (!commands)
      console.log(`Without Python and its package index the exporters are not tested beside SQLMesh ${version}.`);
    else if (succeeds(path.join(commands, 'pip'), [...install, '--force-reinstall', '--no-deps', ...exporters]))
      test('exporters', [], { EXPORTERS: commands, SQLMESH_VERSION: version });
    else process.exitCode = 1;
  }
}

function checkDeployment() {
  const requirements = path.join(root, 'test', 'deploy', 'requirements.txt');
  const commands = pythonEnvironment('cloud-emulator', ['--requirement', requirements], readFileSync(requirements));
  if (commands)
    test('deploy', ['--reporter=verbose'], {
      CLOUD_EMULATOR: path.join(commands, 'python'),
      CFN_LINT: path.join(commands, 'cfn-lint'),
    });
  else console.log('Without Python and its package index there is no emulator: the deployment is not checked.');
}

/** Runs the tests of a folder; one that fails sets the exit code. */
function test(folder, reporter, variables) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(root, 'test', folder, 'vitest.config.ts');
  const { status } = spawnSync(projectNode, [vitest, 'run', ...reporter, '--config', config, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
