import { enableCompileCache } from 'node:module';
import path from 'node:path';

enableCompileCache();

const { readOptions } = await import('./options.ts');
const { runUntilStopped } = await import('./run.ts');
const { welcome } = await import('./welcome.ts');

// What is given replaces these: of an option that stands twice, the last holds.
const credentials = path.join('.local', 'credentials.json');
const defaults = ['--seed', 'sample', '--credentials', credentials];

try {
  const options = readOptions([...defaults, ...process.argv.slice(2)]);
  if (options === 'help')
    throw new Error('npm start -- takes the options of npm run local; see npm run local -- --help');
  await runUntilStopped(options, async (running) => console.log(await welcome(running, options)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
