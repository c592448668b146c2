import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Synthesis loads thousands of files: from the second start on they need no parsing.
enableCompileCache();

const { runCommand } = await import('./run.ts');

await runCommand(process.argv.slice(2), ({ baseUrl }, { credentials }) => {
  console.log(`Tributary listens on ${baseUrl}`);
  console.log(`How to use it: ${path.relative(process.cwd(), credentials)}`);
});
