// Installs what is missing, then runs the service with the project's own Node. Plain JavaScript for Node 20: nothing is installed yet.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { isOrphan } from '../local/parent.mjs';
import './ensure-service-installed.mjs';
import { projectNode, root } from './project-node.mjs';

if (isOrphan()) process.exit(1);
const service = spawn(projectNode, [path.join(root, 'local', 'start.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
service.on('exit', (status) => process.exit(status ?? 1));
const stop = () => service.connected && service.disconnect();
// Ctrl-C reaches the service as well, which a second signal would cut short: closing the channel only asks it to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
setInterval(() => isOrphan() && stop(), 250);
