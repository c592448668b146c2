// What the CDK's command runs: installs what is missing, then synthesizes under the project's own Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';

const { status } = spawnSync(projectNode, [path.join(root, 'bin', 'app.ts')], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
