import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';

/** One figure as `bench/all` prints it. */
export const Result = v.object({
  figure: v.string(),
  value: v.number(),
  unit: v.string(),
  bench: v.string(),
  aim: v.optional(v.number()),
});
export type Result = v.InferOutput<typeof Result>;

/** Where and when figures were taken; `load` is how many processes wanted a processor in the minute before. */
const Occasion = v.object({
  date: v.string(),
  machine: v.string(),
  node: v.string(),
  commit: v.string(),
  load: v.number(),
});
type Occasion = v.InferOutput<typeof Occasion>;
export type RecordedRun = { readonly on: Occasion; readonly results: readonly Result[] };

const folder = path.join(import.meta.dirname, '..', 'results');

/** Adds a run to the history: a line about the occasion, then one a figure. Answers its file. */
export function recordRun({ on, results }: RecordedRun): string {
  const minute = on.date.slice(0, 16).replace(':', '');
  const file = path.join(folder, `${minute}Z-${on.machine}.jsonl`);
  writeFileSync(file, [on, ...results].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** The history, oldest first. */
export const recordedRuns = (): readonly RecordedRun[] =>
  globSync('*.jsonl', { cwd: folder })
    .sort()
    .map((file) => {
      const [on, ...results] = readFileSync(path.join(folder, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { on: v.parse(Occasion, on), results: v.parse(v.array(Result), results) };
    });

/** Machines of one class give figures that may be compared. */
function machineClass(): string {
  const model = cpus()[0]?.model.replaceAll(/\(.*?\)|processor|cpu|\s@.*$/gi, ' ') ?? '';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const words = `${platform()} ${arch()} ${cpus().length} x ${model} ${memory}`;
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

export function occasion(): Occasion {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' and changes';
  return {
    date: new Date().toISOString(),
    machine: machineClass(),
    node: process.version,
    commit: `${git('rev-parse', '--short', 'HEAD')}${changed}`,
    load: Number(loadavg()[0]?.toFixed(1)),
  };
}
