import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../lib/function-specs.ts';
import { withoutComments } from '../support/anchors.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const written = docs.filter((file) => file.endsWith('.md')).map((file) => path.join('docs', file));
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...written];
const decisions = written.filter((file) => /^docs[/\\]adr[/\\]\d/.test(file));

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
    const named = documents.flatMap((file) => [...read(file).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)]);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(documents)('link from %s to what there is', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(file), link)))).toEqual([]);
  });

  it('name source files that there are', () => {
    const folders = ['shared', 'functions', 'lib', 'local', 'cli', 'scripts', 'test', 'bench', 'web'];
    const files = folders.flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const lasting = documents.filter((file) => file !== 'CHANGELOG.md' && !decisions.includes(file));
    const named = lasting.flatMap((file) =>
      [...read(file).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });

  it('catalogue every kind of key', () => {
    const catalogue = read('docs/graph.md');
    const sources = globSync('shared/adapters/dynamodb/keys/*.ts', { cwd: root });
    const literals = sources
      .map((file) => withoutComments(read(file)))
      .flatMap((text) => text.match(/'[^'\n]*'|`[^`]*`/g) ?? []);
    const words = literals.flatMap((literal) => literal.match(/(?<=[`'#])[A-Z][A-Z_]+(?=[`'#])/g) ?? []);
    expect(words.length).toBeGreaterThan(20);
    expect([...new Set(words)].filter((word) => !new RegExp(`\\b${word}\\b`).test(catalogue))).toEqual([]);
  });

  it('date each section of a decision, and title it', () => {
    const undated = decisions.flatMap((file) =>
      read(file)
        .split(/^## /m)
        .slice(1)
        .filter((section) => !/^\S.*\n\nDecided \d{4}-\d\d-\d\d[;.]/.test(section))
        .map((section) => `${file}: ${section.split('\n')[0]}`),
    );
    expect(undated).toEqual([]);
    expect(decisions.filter((file) => !/^# \d+\. \S.*\n\n## \S/.test(read(file)))).toEqual([]);
  });

  it('number each decision once, and head it with its number', () => {
    const numbers = decisions.map((file) => Number.parseInt(path.basename(file), 10));
    expect(decisions.map((file) => Number(/^# (\d+)\./.exec(read(file))?.[1]))).toEqual(numbers);
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  });

  it('list each section of a decision with its date in the index', () => {
    const index = read('docs/adr/README.md');
    const entries = decisions.flatMap((file) =>
      [...read(file).matchAll(/^## (.+)\n\nDecided (\d{4}-\d\d-\d\d)/gm)].map(
        ([, title = '', date = '']) => `  - [${title}](${path.basename(file)}#${slug(title)}), ${date}\n`,
      ),
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter((entry) => !index.includes(entry))).toEqual([]);
  });

  it.each(documents)('link from %s to headings of decisions that there are', (file) => {
    const links = [...read(file).matchAll(/\]\(((?:[\w./-]*adr\/)?\d{3}-[\w-]+\.md)#([^)]+)\)/g)];
    const broken = links.filter(
      ([, target = '', anchor = '']) => !headings(path.join(path.dirname(file), target)).includes(anchor),
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('map each earlier number of a decision to a decision of today', () => {
    const [, mapping = ''] = read('docs/adr/README.md').split('## Earlier numbers');
    const rows = [...mapping.matchAll(/^\| (\d+) +\| (\d+) +\| \[.+\]\((\d{3})-/gm)];
    expect(rows).toHaveLength(76);
    expect(rows.filter(([, , now, target]) => Number(now) !== Number(target))).toEqual([]);
  });
});

/** The anchor that GitHub gives a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function headings(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
}
