// The command of the local service's package: runs a program of it on the Node that it brings. Plain JavaScript for Node 20.
import { createRequire } from 'node:module';
import path from 'node:path';
import { runGently } from '../../local/parent.mjs';
import { projectNode, root } from '../project-node.mjs';

/** The service is what an option or nothing starts. */
const programs = { events: 'events.js', 'pull-request': 'pull-request.js' };

const { name } = createRequire(import.meta.url)('../package.json');
const [first = '', ...others] = process.argv.slice(2);
const program = programs[first];
if (!program && first !== '' && !first.startsWith('-')) {
  console.error(
    `There is no ${first}: use ${Object.keys(programs).join(', ')}, or --help for the options of the service.`,
  );
  process.exit(2);
}
const args = program ? others : process.argv.slice(2);
runGently(projectNode, [path.join(root, 'dist', program ?? 'start.js'), ...args], {
  env: { ...process.env, TRIBUTARY_PACKAGE: name },
});
