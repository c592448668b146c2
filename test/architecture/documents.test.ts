import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../lib/function-specs.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/ARCHITECTURE.md', 'docs/runbook.md'];

describe('the documents', () => {
  it('place every function in the architecture', () => {
    const rows = read('docs/ARCHITECTURE.md').split('\n');
    const table = rows.filter((row) => row.startsWith('|')).join('\n');
    expect(functionNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it('name only commands that there are', () => {
    const { scripts } = v.parse(
      v.object({ scripts: v.record(v.string(), v.string()) }),
      JSON.parse(read('package.json')),
    );
    const named = documents.flatMap((file) => [...read(file).matchAll(/npm run (?:--silent )?([a-z][a-z:]*)/g)]);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(documents)('link from %s to what there is', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(file), link)))).toEqual([]);
  });
});
