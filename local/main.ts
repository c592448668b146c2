import { readOptions, usage } from './options.ts';
import { runUntilStopped } from './run.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(usage);
  else await runUntilStopped(options, ({ baseUrl }) => console.log(`Tributary listens on ${baseUrl}`));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
