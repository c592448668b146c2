import { spawnSync } from 'node:child_process';
import path from 'node:path';
import * as v from 'valibot';

/** A value of an operation of AWS: its input, or what it answers. */
export type Modelled = readonly [service: string, operation: string, value: unknown, side?: 'output'];

/** What AWS's models of the operations refuse, of each value. */
export function modelProblems(values: readonly Modelled[]): string[][] {
  const { status, stdout, stderr } = spawnSync(
    process.env['CLOUD_EMULATOR'] ?? '',
    [path.join(import.meta.dirname, 'service_models.py')],
    { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`The models ended with ${status}: ${stderr}`);
  return v.parse(v.array(v.array(v.string())), JSON.parse(stdout));
}
