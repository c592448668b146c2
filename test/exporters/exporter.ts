import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const commands = process.env['EXPORTERS'];
if (commands === undefined) throw new Error('EXPORTERS names no folder: `npm run test:exporters` does.');

type Ran = { readonly code: number | null; readonly output: string; readonly messages: string };

/** Runs a command of the environment that the exporters are installed in. */
export async function exporter(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(path.join(commands ?? '', name), args, { env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, messages, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output, messages };
}

/** The options that a command names in its help, and those of the table in a document. */
export async function optionsOf(name: string, document: string): Promise<{ helped: string[]; documented: string[] }> {
  const { output } = await exporter(name, ['--help']);
  const named = (one: string) => [...new Set(one.match(/--[a-z][a-z-]*/g))].sort();
  const rows = readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `--'));
  const common = new Set(['--help', '--version']);
  return { helped: named(output).filter((option) => !common.has(option)), documented: named(rows.join('\n')) };
}
