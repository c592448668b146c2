import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');

type Ran = { readonly status: number | null; readonly output: string };

/** Runs a program of the project's to its end, and answers what it printed on both streams. */
export function run(
  environment: Readonly<Record<string, string>>,
  [program = '', ...args]: readonly string[],
  cwd: string = root,
): Promise<Ran> {
  const child = spawn(path.join(root, 'node_modules', '.bin', program), args, { cwd, env: { ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** The same, which has to succeed. */
export async function runs(...args: Parameters<typeof run>): Promise<string> {
  const { status, output } = await run(...args);
  if (status !== 0) throw new Error(`${args[1].join(' ')} ended with ${status}:\n${output.slice(-4_000)}`);
  return output;
}
