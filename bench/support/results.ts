import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Occasion } from './machine.ts';

/** One figure as `bench/all` prints it. */
export const Result = v.object({
  figure: v.string(),
  value: v.number(),
  unit: v.string(),
  bench: v.string(),
  aim: v.optional(v.number()),
});
export type Result = v.InferOutput<typeof Result>;

const Run = v.object({
  date: v.string(),
  machine: v.string(),
  node: v.string(),
  commit: v.string(),
  load: v.number(),
});
export type RecordedRun = { readonly on: Occasion; readonly results: readonly Result[] };

const folder = path.join(import.meta.dirname, '..', 'results');

/** Adds a run to the history: a line about the occasion, then one a figure. Answers its file. */
export function recordRun({ on, results }: RecordedRun): string {
  const minute = on.date.slice(0, 16).replace(':', '');
  const file = path.join(folder, `${minute}Z-${on.machine}.jsonl`);
  writeFileSync(file, [on, ...results].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function readRun(file: string): RecordedRun {
  const [on, ...results] = readFileSync(file, 'utf8').trim().split('\n');
  return {
    on: v.parse(Run, JSON.parse(on ?? '')),
    results: results.map((line) => v.parse(Result, JSON.parse(line))),
  };
}

/** The history, oldest first. */
export const recordedRuns = (): readonly RecordedRun[] =>
  globSync('*.jsonl', { cwd: folder })
    .sort()
    .map((file) => readRun(path.join(folder, file)));
