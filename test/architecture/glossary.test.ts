import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The identifiers of the sources as words: `graphView`, `GraphView` and `graph_view` are "graph view". */
const identifiers = new Set(
  globSync('{lib,functions,shared,local,cli}/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('generated'))
    .flatMap((file) => `${file} ${read(file)}`.match(/[A-Za-z][A-Za-z0-9_-]*/g) ?? [])
    .map(wordsOf),
);
const isUsed = (word: string): boolean => {
  const words = wordsOf(word.replaceAll('`', '').trim());
  const forms = [words, `${words}s`, words.replace(/y$/, 'ies')];
  return [...identifiers].some((name) => forms.some((form) => ` ${name} `.includes(` ${form} `)));
};

it('explains only words of the code: each is part of an identifier', () => {
  const entries = [...read('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*: /gm)];
  const words = entries.flatMap(([, entry = '']) => entry.split(','));
  expect(words.length).toBeGreaterThan(60);
  expect(words.filter((word) => !isUsed(word))).toEqual([]);
});

it('names identifiers that there are', () => {
  const named = [...read('docs/glossary.md').matchAll(/`([A-Za-z_]+)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !isUsed(name))).toEqual([]);
});

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
}
