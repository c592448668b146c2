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
const packages = globSync('{cli,sdk,scripts,exporters/*,packages/*}/README.md', { cwd: root });
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...packages, ...written];
const decisions = written.filter((file) => /^docs[/\\]adr[/\\]\d/.test(file));

describe('the documents', () => {
  it('place every function in the architecture', () => {
    const rows = read('docs/ARCHITECTURE.md').split('\n');
    const table = rows.filter((row) => row.startsWith('|')).join('\n');
    expect(functionNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it('name only commands that there are', () => {
    const scripts = npmScripts();
    const named = documents.flatMap((file) => [...read(file).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)]);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(documents)('link from %s to what there is', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(file), link)))).toEqual([]);
  });

  it.each(documents)('name a link from %s to a source file as the file that it leads to', (file) => {
    const links = [...read(file).matchAll(/\[`?([\w./-]+\.tsx?)`?\]\(([^)#]+\.tsx?)\)/g)];
    expect(
      links.filter(([, label = '', link = '']) => !`/${link}`.endsWith(`/${label}`)).map(([link]) => link),
    ).toEqual([]);
  });

  it.each(documents)('link from %s to sections that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]*\.md|)#([^)]+)\)/g)];
    const missing = links.filter(([, link = '', section = '']) => {
      const target = link === '' ? file : path.join(path.dirname(file), link);
      return !sectionsOf(read(target)).includes(section);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('are reachable in two clicks from the front page: it links to the index, which links to every document', () => {
    const linksOf = (file: string) =>
      [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => path.join(path.dirname(file), link));
    const reached = new Set(
      ['README.md', 'docs/README.md'].map(path.normalize).flatMap((file) => [file, ...linksOf(file)]),
    );
    expect(reached).toContain(path.join('docs', 'README.md'));
    const all = documents.filter((file) => !decisions.includes(file));
    expect(all.filter((file) => !reached.has(path.normalize(file)))).toEqual([]);
    expect(reached).toContain(path.join('docs', 'adr', 'README.md'));
  });

  it('begin with the task that a reader can do afterwards', () => {
    const exempt = ['README.md', path.join('docs', 'ARCHITECTURE.md'), path.join('docs', 'flows.md'), ...decisions];
    const start = documents.filter((file) => !exempt.includes(file));
    expect(start.filter((file) => !/^# .+\n\nAfter reading /.test(read(file)))).toEqual([]);
  });

  it('list at most twenty scripts of npm, and name programs that exist for the others', () => {
    expect(Object.keys(npmScripts()).length).toBeLessThanOrEqual(20);
    const named = documents
      .filter((file) => !decisions.includes(file))
      .flatMap((file) => [...read(file).matchAll(/\bnode ((?:scripts|bench|local|cli)\/[\w./-]+\.\w+)/g)]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, name = '']) => name).filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
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

  it('name identifiers of a flow beside the file that has them', () => {
    const items = read('docs/flows.md').match(/^\d+\. .*$/gm) ?? [];
    const named = items.flatMap((item) => {
      const sources = [...item.matchAll(/\]\(([^)#]+\.tsx?)\)/g)].map(([, file = '']) => read(path.join('docs', file)));
      return [...item.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, sources }));
    });
    expect(named.length).toBeGreaterThan(5);
    const isIn = (name: string) => (source: string) => new RegExp(`\\b${name}\\b`).test(source);
    expect(named.filter(({ name, sources }) => !sources.some(isIn(name))).map(({ name }) => name)).toEqual([]);
  });

  it('quote why a check compared nothing as the service says it', () => {
    const source = read('shared/domain/lineage/queries/diff/not-evaluated.ts').replaceAll(
      /\$\{document\}/g,
      'manifest',
    );
    const messages = [...source.matchAll(/['`]((?:The|No) .*)['`];?$/gm)].map(([, text = '']) =>
      text.replaceAll(/\$\{[^}]*\}/g, '…'),
    );
    const [, table = ''] = read('docs/pull-requests.md').split('| The summary says ');
    const quoted = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ((?:The|No) .*?)(?:\.|…)? +\|/gm)].map(
      ([, text = '']) => text,
    );
    expect(quoted.length).toBeGreaterThan(4);
    expect(quoted.filter((text) => !messages.some((message) => message.startsWith(text)))).toEqual([]);
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

  it('list each decision by its title in the index', () => {
    const index = read('docs/adr/README.md');
    const entries = decisions.map(
      (file) => `- [${read(file).split('\n')[0]?.slice('# '.length)}](${path.basename(file)})\n`,
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter((entry) => !index.includes(entry))).toEqual([]);
  });

  it.each(documents)('link from %s to headings of decisions that there are', (file) => {
    const links = [...read(file).matchAll(/\]\(((?:[\w./-]*adr\/)?\d{3}-[\w-]+\.md)#([^)]+)\)/g)];
    const broken = links.filter(
      ([, target = '', anchor = '']) => !sectionsOf(read(path.join(path.dirname(file), target))).includes(anchor),
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

const npmScripts = (): Readonly<Record<string, string>> =>
  v.parse(v.object({ scripts: v.record(v.string(), v.string()) }), JSON.parse(read('package.json'))).scripts;

/** The anchor that a code host gives to a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The anchors of a document's headings. */
const sectionsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
