import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { largeLedger, ledger } from '../../bench/support/ledger.ts';
import { valueIn } from '../../bench/support/measure.ts';
import { recordedRuns } from '../../bench/support/results.ts';
import { figuresTable } from '../../bench/support/written-figures.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const page = readFileSync(path.join(root, 'docs', 'benchmarks.md'), 'utf8');
const existing = readdirSync(path.join(root, 'bench')).sort();
const measurements = [...ledger, ...largeLedger];
const figures = measurements.flatMap((one) => one.figures);

describe('the ledger of speed', () => {
  it('describes each bench in the folder, and no other', () => {
    const [, list = ''] = page.split('## All benches');
    const cells = list.split('\n').flatMap((row) => /^- (`.*?`): /.exec(row)?.[1] ?? []);
    expect(cells.flatMap((cell) => [...cell.matchAll(/`(.*?)`/g)].map(([, name]) => name)).sort()).toEqual(existing);
  });

  it('says how to repeat each by a program that is there', () => {
    const named = [...page.matchAll(/node bench\/([\w.-]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !existing.includes(name ?? ''))).toEqual([]);
  });

  it('measures by benches that are there, and names each figure once', () => {
    expect(measurements.filter(({ bench }) => !existing.includes(`${bench}.ts`))).toEqual([]);
    expect(new Set(figures.map(({ name }) => name)).size).toBe(figures.length);
  });

  it('starts functions with the heap that the template gives them', () => {
    const sources = globSync('bench/**/*.ts', { cwd: root }).map((file) => [
      file,
      readFileSync(path.join(root, file), 'utf8'),
    ]);
    const starting = sources.filter(([, text = '']) => /['/](index\.mjs|exporting-process\.ts)'/.test(text));
    expect(starting.length).toBeGreaterThan(3);
    expect(starting.filter(([, text = '']) => !/\b(node|heap)Options\(/.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('shows the last recorded value of every figure that has an aim', () => {
    expect(page).toContain(figuresTable(recordedRuns()));
  });

  it('takes the first line that has what a figure names, and fails if there is none', () => {
    const figure = { name: 'f', unit: 'ms', line: { step: 'a' }, field: 'p50_ms' };
    const lines = [
      { step: 'a', seconds: 1 },
      { step: 'b', p50_ms: 2 },
      { step: 'a', p50_ms: 3 },
    ];
    expect(valueIn(lines, figure)).toBe(3);
    expect(() => valueIn(lines, { ...figure, line: { step: 'c' } })).toThrow('nothing of "f"');
  });
});
