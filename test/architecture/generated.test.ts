import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The patterns of `.gitattributes` that mark generated files, each with the command above it. */
function marked(): { readonly pattern: string; readonly command: string }[] {
  let command = '';
  return read('.gitattributes')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) command = line.slice(2);
      const [pattern, attribute] = line.split(' ');
      return pattern && attribute === 'linguist-generated' ? [{ pattern, command }] : [];
    });
}

const filesOf = (pattern: string): string[] =>
  globSync(pattern.startsWith('*') ? `{docs,local,shared,test,web}/**/${pattern}` : pattern, { cwd: root }).map(
    (file) => file.replaceAll('\\', '/'),
  );

const sources = '{bench,bin,cli,docs,examples,exporters,functions,lib,local,scripts,sdk,shared,test,web}';

describe('generated files', () => {
  it('are all marked in .gitattributes', () => {
    const known = new Set(marked().flatMap(({ pattern }) => filesOf(pattern)));
    const found = globSync([`${sources}/**/generated/**/*.{js,ts,json}`, 'docs/openapi/*', `${sources}/**/*.snap`], {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    })
      .map((file) => file.replaceAll('\\', '/'))
      // Types of a generated module, written by hand.
      .filter((file) => !file.endsWith('.d.ts'));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((file) => !known.has(file))).toEqual([]);
  });

  it('have a command that writes them', () => {
    const { scripts } = JSON.parse(read('package.json'));
    expect(marked().length).toBeGreaterThan(5);
    for (const { pattern, command } of marked()) {
      expect(filesOf(pattern), pattern).not.toEqual([]);
      const [program = '', first = '', name = ''] = command.replace('RECORD=1 ', '').split(' ');
      if (program === 'npm' && first === 'run') expect(scripts, command).toHaveProperty(name);
      else if (program === 'node') expect(existsSync(path.join(root, first)), command).toBe(true);
      else if (program === 'npx' && first === 'vitest' && !command.endsWith('--update'))
        expect(name === 'run' && existsSync(path.join(root, command.split(' ').at(-1) ?? '')), command).toBe(true);
      else expect(['npm install', 'npx vitest run --update'], pattern).toContain(command);
    }
  });

  it('are small: the texts less than 2.2 MB together', () => {
    const texts = marked().flatMap(({ pattern }) => filesOf(pattern).filter((file) => !file.endsWith('.png')));
    const bytes = texts.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
    expect(bytes).toBeLessThan(2_200_000);
  });
});
