#!/usr/bin/env node
import path from 'node:path';
import { run } from './program.ts';
import { exitOnClosedPipe } from './terminal/terminal.ts';

// The AWS SDK warns of Node 20 before every answer of an operator's command, which this package supports.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

exitOnClosedPipe();

process.exitCode = await run(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  env: process.env,
  folder: process.cwd(),
  checkout: path.resolve(import.meta.dirname, '..'),
});
