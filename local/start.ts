import { enableCompileCache } from 'node:module';
import { Fault } from '../shared/contract/problems.ts';

enableCompileCache();

const { readOptions } = await import('./options.ts');
const { runUntilStopped } = await import('./run.ts');
const { startupMessage } = await import('./startup-message.ts');

// What is given replaces these: of an option that stands twice, the last holds.
const defaults = ['--seed', 'sample'];

try {
  const options = readOptions([...defaults, ...process.argv.slice(2)]);
  if (options === 'help')
    throw new Fault('start_options', 'npm start -- takes the options of npm run local; see npm run local -- --help');
  await runUntilStopped(options, async (running) => console.log(await startupMessage(running, options)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
