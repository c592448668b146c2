import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import equivalent from '../../bench/mutation/equivalent.json' with { type: 'json' };
import {
  applied,
  folderOf,
  inSampleOrder,
  type Mutant,
  mutantsOf,
  probed,
  sourceFiles,
} from '../../bench/mutation/mutants.ts';

const sources = new Map(sourceFiles('.').map((file) => [file, readFileSync(file, 'utf8')]));
const sourceOf = (file: string): string => sources.get(file) ?? '';
const all = [...sources].flatMap(([file, source]) => mutantsOf(file, source));
const errorsIn = (file: string, text: string) =>
  parseSync(file, text).errors.map((error) => `${file}: ${error.message}`);

describe('the mutation test', () => {
  it('plants one fault for each condition, statement and result of a function', () => {
    const source = 'export function f(a?: number[]) {\n  if (a) g();\n  return a?.map(h).filter(Boolean) ?? [];\n}\n';
    const texts = mutantsOf('f.ts', source).map((one) => [
      one.line,
      one.kind,
      applied(source, one).split('\n')[one.line - 1],
    ]);
    expect(texts).toEqual([
      [2, 'negated condition', '  if (!(a)) g();'],
      [2, 'skipped statement', '  if (a) {}'],
      [3, 'empty result', '  return undefined;'],
      [3, 'dropped default', '  return a?.map(h).filter(Boolean);'],
    ]);
  });

  it('plants only faults that can be parsed, and finds the tests that reach them without a change of syntax', () => {
    const sample = inSampleOrder(all, 5).slice(0, 400);
    expect(sample.flatMap((one) => errorsIn(one.file, applied(sourceOf(one.file), one)))).toEqual([]);
    const byFile = Map.groupBy([...all.entries()], ([, { file }]) => file);
    const withProbes = [...byFile].map(
      ([file, own]) => [file, probed(sourceOf(file), own, (id) => `p(${id})`)] as const,
    );
    expect(withProbes.flatMap(([file, text]) => errorsIn(file, text))).toEqual([]);
  });

  it('takes from each folder its share, whatever the seed', () => {
    const count = (mutants: readonly Mutant[]) => {
      const groups = Map.groupBy(mutants, ({ file }) => folderOf(file));
      return (folder: string) => groups.get(folder)?.length ?? 0;
    };
    const total = count(all);
    const folders = [...new Set(all.map(({ file }) => folderOf(file)))];
    const samples = [1, 2].map((seed) => inSampleOrder(all, seed).slice(0, 100));
    const uneven = samples.flatMap((sample) => {
      const drawn = count(sample);
      // Where the small folders begin moves the end of the sample in a large one.
      const isEven = (folder: string) => Math.abs(drawn(folder) - (100 * total(folder)) / all.length) < 3;
      return folders.filter((folder) => !isEven(folder));
    });
    expect(uneven).toEqual([]);
    expect(samples[0]).not.toEqual(samples[1]);
  });

  it('lists as equivalent only mutants that exist', () => {
    const isMutant = (one: (typeof equivalent)[number]) =>
      all.some(({ file, source, kind }) => file === one.file && source === one.source && kind === one.kind);
    expect(equivalent.filter((one) => !isMutant(one))).toEqual([]);
  });
});
