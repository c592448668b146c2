import { spawnSync } from 'node:child_process';
import path from 'node:path';
import * as v from 'valibot';

/** A value of an operation of AWS: its input, or what it answers. */
export type Modelled = readonly [service: string, operation: string, value: unknown, side?: 'output'];

/** A signed request as `record-calls.ts` saves it; `caller` is a function, or a command of the operator. */
export const Recorded = v.object({
  caller: v.string(),
  service: v.string(),
  method: v.string(),
  path: v.string(),
  headers: v.record(v.string(), v.unknown()),
  body: v.string(),
});
export type Recorded = v.InferOutput<typeof Recorded>;

const Problems = v.array(v.string());
const Read = v.object({ operation: v.string(), input: v.unknown(), problems: Problems });

/** What AWS's models of the operations refuse, of each value. */
export const modelProblems = (values: readonly Modelled[]): string[][] =>
  v.parse(v.array(Problems), fromModels(values));

/** The operation of each request and its input, and what AWS's model of the operation refuses of it. */
export const readRequests = (requests: readonly Recorded[]) => v.parse(v.array(Read), fromModels(requests));

function fromModels(values: readonly unknown[]): unknown {
  const { status, stdout, stderr } = spawnSync(
    process.env['CLOUD_EMULATOR'] ?? '',
    [path.join(import.meta.dirname, 'service_models.py')],
    { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`The models ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
