import { enableCompileCache } from 'node:module';

enableCompileCache();

const { readOptions, usage } = await import('./options.ts');
const { runUntilStopped } = await import('./run.ts');
const { startupMessage } = await import('./startup-message.ts');

// What is given replaces these: of an option that stands twice, the last holds.
const defaults = ['--seed', 'sample'];

try {
  const options = readOptions([...defaults, ...process.argv.slice(2)]);
  if (options === 'help') process.stdout.write(usage);
  else await runUntilStopped(options, async (running) => console.log(await startupMessage(running, options)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
