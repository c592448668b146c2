// Deploys, uses, updates and destroys the stack on an emulator of AWS, which it installs into a virtual environment of Python.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';

const requirements = path.join(root, 'test', 'deploy', 'requirements.txt');
const environment = path.join(root, '.cache', 'cloud-emulator');
const mark = path.join(environment, '.installed-from');
const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');

if (isInstalled() || install()) check();
else console.log('Without Python and its package index there is no emulator: the deployment is not checked.');

function isInstalled() {
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted;
}

function install() {
  rmSync(environment, { recursive: true, force: true });
  const pip = path.join(environment, 'bin', 'pip');
  const installed =
    succeeds('python3', ['-m', 'venv', environment]) &&
    succeeds(pip, ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]);
  if (installed) writeFileSync(mark, wanted);
  return installed;
}

function succeeds(program, args) {
  return spawnSync(program, args, { stdio: ['ignore', 2, 2] }).status === 0;
}

function check() {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(root, 'test', 'deploy', 'vitest.config.ts');
  const { status } = spawnSync(
    projectNode,
    [vitest, 'run', '--reporter=verbose', '--config', config, ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CLOUD_EMULATOR: path.join(environment, 'bin', 'ministack') },
    },
  );
  process.exitCode = status ?? 1;
}
