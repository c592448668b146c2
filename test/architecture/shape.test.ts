import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const sources = globSync('{bin,lib,functions,shared,local,cli,scripts,web/src}/**/*.{ts,tsx,mjs}', {
  cwd: root,
}).filter((file) => !file.includes('generated'));
/** Every text of the explorer stands in one file, so that all can be read at once. */
const allTexts = 'web/src/texts.ts';
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the shape of the sources', () => {
  it('keeps one idea a file: none over 300 lines', () => {
    expect(sources.filter((file) => file !== allTexts && read(file).split('\n').length > 301)).toEqual([]);
  });

  it('spells keys of the tables in the files of keys only', () => {
    const spelling = sources.filter((file) => /`(W|DUE|USER|SECRET)#/.test(read(file)));
    const keys = path.join('shared', 'adapters', 'dynamodb', 'keys', path.sep);
    expect(spelling.filter((file) => !file.startsWith(keys))).toEqual([]);
  });

  it('has no default exports and no catch-all names', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    expect(sources.filter((file) => /(utils?|helpers?|manager)\.ts$/.test(file))).toEqual([]);
  });
});
