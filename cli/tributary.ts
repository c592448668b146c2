#!/usr/bin/env node
import { run } from './program.ts';

process.stdout.on('error', (error) => {
  // Whoever reads, such as `head`, has seen enough.
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await run(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  env: process.env,
  folder: process.cwd(),
});
