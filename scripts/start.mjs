// Installs what is missing, then runs the service with the project's own Node. Plain JavaScript for Node 20: nothing is installed yet.
import path from 'node:path';
import { isOrphan, runGently } from '../local/parent.mjs';
import { ensureServiceInstalled } from './install.mjs';

ensureServiceInstalled();
// Only now: the project's own Node is one of the packages.
const { projectNode, root } = await import('./project-node.mjs');
if (isOrphan()) process.exit(1);
runGently(projectNode, [path.join(root, 'local', 'start.ts'), ...process.argv.slice(2)], { cwd: root });
