import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { readOptions, usage } from './options.ts';

// Synthesis loads thousands of files: from the second start on they need no parsing.
enableCompileCache();

const { runUntilStopped: run } = await import('./run.ts');

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(usage);
  else
    await run(options, ({ baseUrl }) => {
      console.log(`Tributary listens on ${baseUrl}`);
      console.log(`How to use it: ${path.relative(process.cwd(), options.credentials)}`);
    });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
