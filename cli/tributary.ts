#!/usr/bin/env node
import { Problem } from '../shared/contract/problems.ts';
import { UsageError } from './admin/command.ts';
import { admin } from './admin.ts';

const usage = 'tributary admin …    sets a deployment up and runs it; see tributary admin --help\n';

const [command, ...args] = process.argv.slice(2);

if (command === 'admin') await run(() => admin(args));
else {
  process.stderr.write(usage);
  process.exitCode = command === undefined || command === '--help' ? 0 : 2;
}

async function run(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    if (!(error instanceof Problem || error instanceof UsageError)) throw error;
    const places = error instanceof Problem ? error.errors.map(({ path, message }) => `\n  ${path} ${message}`) : [];
    process.stderr.write(`${error.message}${places.join('')}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
