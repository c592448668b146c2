// Tests the exporters, installed as their users install them, beside the oldest and the newest SQLMesh that they take.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';
import { pythonEnvironment, succeeds } from './python-environment.mjs';

// The oldest leaves open which versions it needs of packages that the newest bounds.
const versions = new Map([
  ['0.200.0', ['dateparser<=1.2.1', 'duckdb<2', 'pandas<3']],
  ['0.236.4', []],
]);
const exporters = ['sqlmesh', 'datahub', 'warehouse'].map((name) => path.join(root, 'exporters', name));

for (const [version, beside] of versions) {
  const packages = [`sqlmesh==${version}`, ...beside, 'hatchling==1.27.0', 'psycopg[binary]==3.3.9'];
  const commands = pythonEnvironment(`sqlmesh-${version}`, packages);
  if (commands) test(version, commands);
  else console.log(`Without Python and its package index the exporters are not tested beside SQLMesh ${version}.`);
}

function test(version, commands) {
  const install = ['install', '--quiet', '--disable-pip-version-check', '--no-index', '--no-build-isolation'];
  if (!succeeds(path.join(commands, 'pip'), [...install, '--force-reinstall', '--no-deps', ...exporters])) {
    process.exitCode = 1;
    return;
  }
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(root, 'test', 'exporters', 'vitest.config.ts');
  const { status } = spawnSync(projectNode, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, EXPORTERS: commands, SQLMESH_VERSION: version },
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
