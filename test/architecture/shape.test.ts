import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isolated } from '../../vitest.config.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const slashed = (file: string): string => file.split(path.sep).join('/');
const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).map(slashed);
const sources = find('{bin,lib,functions,shared,local,cli,scripts,web/src}/**/*.{ts,tsx,mjs}').filter(
  (file) => !file.includes('generated'),
);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const lines = (file: string): number => read(file).split('\n').length - 1;

const longest = 300;

/** Files that may be longer than a chapter, with the reason. */
const long: Readonly<Record<string, string>> = {
  'web/src/texts.ts':
    'All texts of the explorer are in one file, so that a translator or reviewer can read them at once.',
};

it('tests that replace modules leave none to the tests after them', () => {
  const alone = new Set(isolated.flatMap(find));
  const replacing = find('test/{flows,security,adapters,infra,sdk,web,domain,contract,cli}/**/*.test.ts').filter(
    (file) => /vi\.(?:resetModules|mock|doMock)\(/.test(read(file)),
  );
  expect(replacing.filter((file) => !alone.has(file))).toEqual([]);
});

describe('the shape of the sources', () => {
  it('has no file that is longer than a chapter', () => {
    expect(sources.filter((file) => lines(file) > longest && !(file in long))).toEqual([]);
  });

  it('lists only exceptions that are still needed', () => {
    expect(Object.keys(long).filter((file) => lines(file) <= longest)).toEqual([]);
  });

  it('spells keys of the tables in the files of keys only', () => {
    const spelling = sources.filter((file) => /`(W|DUE|USER|SECRET)#/.test(read(file)));
    expect(spelling.filter((file) => !file.startsWith('shared/adapters/dynamodb/keys/'))).toEqual([]);
  });

  it('has no default exports and no catch-all names', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    expect(sources.filter((file) => /(utils?|helpers?|manager)\.ts$/.test(file))).toEqual([]);
  });
});
