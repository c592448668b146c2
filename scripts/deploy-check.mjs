// Checks the templates, and deploys, uses, updates and destroys the stack on an emulator of AWS, which it installs into a virtual environment of Python.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';
import { pythonEnvironment } from './python-environment.mjs';

const requirements = path.join(root, 'test', 'deploy', 'requirements.txt');
const commands = pythonEnvironment('cloud-emulator', ['--requirement', requirements], readFileSync(requirements));

if (commands) check();
else console.log('Without Python and its package index there is no emulator: the deployment is not checked.');

function check() {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(root, 'test', 'deploy', 'vitest.config.ts');
  const { status } = spawnSync(
    projectNode,
    [vitest, 'run', '--reporter=verbose', '--config', config, ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        CLOUD_EMULATOR: path.join(commands, 'python'),
        CFN_LINT: path.join(commands, 'cfn-lint'),
      },
    },
  );
  process.exitCode = status ?? 1;
}
