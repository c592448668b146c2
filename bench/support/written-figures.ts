import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable } from './markdown-table.ts';
import { type RecordedRun, type Result, recordedRuns } from './results.ts';

const file = path.join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');
const [begin, end] = ['<!-- figures: written by `node bench/all.ts --record` -->', '<!-- end of figures -->'];

/** Writes the newest recorded figures into the page that reports them. */
export function writeFigures(): void {
  const page = readFileSync(file, 'utf8');
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${file} has no place for figures`);
  const table = figuresTable(recordedRuns());
  writeFileSync(file, `${page.slice(0, before)}${begin}\n\n${table}\n\n${page.slice(after)}`);
}

/** The last value of every figure of a history that has an aim, oldest run first, with where it was taken. */
export function figuresTable(runs: readonly RecordedRun[]): string {
  const newest = new Map(
    runs.flatMap(({ on, results }) => results.map((one) => [one.figure, { ...one, on }] as const)),
  );
  const aimed = [...newest.values()].filter(({ aim }) => aim !== undefined);
  const used = [...new Set(aimed.map(({ on }) => on))];
  const isOne = used.length === 1;
  const rows = aimed.map(({ on, ...one }) => [...cellsOf(one), ...(isOne ? [] : [String(used.indexOf(on) + 1)])]);
  const occasions = used.map(
    ({ date, machine, node, commit, load }, i) =>
      `${isOne ? 'Run of' : `${i + 1}.`} ${date.slice(0, 10)}, ${machine}, Node ${node}, commit ${commit}, load ${load} before it began`,
  );
  return [markdownTable([[...head, ...(isOne ? [] : ['Run'])], ...rows]), '', ...occasions].join('\n');
}

const head = ['Figure', 'Last', 'Unit', 'Aim'];

const cellsOf = ({ figure, value, unit, aim = 0 }: Result): string[] => [figure, shown(value), unit, shown(aim)];

const shown = (number: number): string => number.toLocaleString('en');
