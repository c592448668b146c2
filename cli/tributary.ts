#!/usr/bin/env node
import { Problem } from '../shared/contract/problems.ts';
import { UsageError } from './admin/command.ts';
import { admin } from './admin.ts';
import { ServiceRefusal } from './impact/api.ts';
import { impact } from './impact.ts';
import { login } from './login.ts';

const usage = `tributary admin …     sets a deployment up and runs it; see tributary admin --help
tributary login …     prints a session token of whoever signs in; see tributary login --help
tributary impact …    what feeds a relation, and what breaks if it changes; see tributary impact --help
`;

const [command, ...args] = process.argv.slice(2);

if (command === 'admin') await run(() => admin(args));
else if (command === 'login') await run(() => login(args, (line) => process.stderr.write(`${line}\n`)));
else if (command === 'impact') await run(() => impact(args));
else {
  process.stderr.write(usage);
  process.exitCode = command === undefined || command === '--help' ? 0 : 2;
}

async function run(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    const expected = [Problem, UsageError, ServiceRefusal].some((kind) => error instanceof kind);
    if (!(expected && error instanceof Error)) throw error;
    const places = error instanceof Problem ? error.errors.map(({ path, message }) => `\n  ${path} ${message}`) : [];
    process.stderr.write(`${error.message}${places.join('')}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
