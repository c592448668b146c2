import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Figure, Measurement } from './ledger.ts';

type Line = Readonly<Record<string, unknown>>;
export type Measured = { readonly figure: Figure; readonly bench: string; readonly value: number };

/** Runs a bench in its own process, and picks its figures; throws where it fails or one is not printed. */
export async function measured(
  { bench, args, figures }: Measurement,
  root: string = path.join(import.meta.dirname, '..', '..'),
): Promise<Measured[]> {
  const lines = await linesOf(path.join(root, 'bench', `${bench}.ts`), args);
  return figures.map((figure) => ({ figure, bench, value: valueIn(lines, figure) }));
}

async function linesOf(file: string, args: readonly string[]): Promise<readonly Line[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: path.join(path.dirname(file), '..'),
    // What functions log is not measured, and would be looked for in vain among the figures.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'CRITICAL', POWERTOOLS_METRICS_DISABLED: 'true' },
    maxBuffer: 2 ** 26,
  });
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** The value of a figure in a bench's output. */
export function valueIn(lines: readonly Line[], { name, line, field }: Figure): number {
  const target = Object.entries(line);
  const found = lines.find((one) => field in one && target.every(([label, value]) => one[label] === value));
  const value = found?.[field];
  if (typeof value !== 'number') throw new Error(`the bench printed nothing of "${name}"`);
  return value;
}
