import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { phrases, type TextKind, textKinds } from './english-phrases.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const generated = /(^|\/)(node_modules|dist|generated|fixtures|recorded|openapi|target)\/|LICENSE/;

describe('plain English', () => {
  it.each(Object.entries(textKinds))('keeps odd phrases within the limit: %s', (_, kind) => {
    const { words, found } = countPhrases(kind);
    expect(words).toBeGreaterThan(200);
    const share = (found.length / words) * 1_000;
    expect(share, `${share.toFixed(2)} in a thousand words:\n${found.slice(0, 40).join('\n')}`).toBeLessThanOrEqual(
      kind.limit,
    );
  });

  it('counts phrases in prose and not in code', () => {
    expect(phrasesIn('It is told by which source.')).toEqual(['told', 'by which']);
    expect(phrasesIn('The worker retries three times, because queues deliver twice.')).toEqual([]);
    expect(proseOf('a.md', 'See `told` and\n```sh\necho told\n```\n[told](told.md)')).not.toMatch(
      /`told|echo|told\.md/,
    );
    expect(proseOf('a.ts', "const told = 1; // A reason.\nconst a = 'A text of several words here.';")).toBe(
      'A reason.\nA text of several words here.',
    );
  });

  it.each([
    ['Name the file that was sent', true],
    ['Pass the limit to the reader', true],
    ['Feed the events in batches', true],
    ['Added the search fix', false],
    ['Adding the search fix', false],
    ['Adds the search fix', false],
    ['add the search fix', false],
    ['Add the search fix.', false],
    [`Add ${'x'.repeat(70)}`, false],
  ])('takes %j for an imperative subject of at most 72 characters: %j', (subject, valid) => {
    expect(isSubject(subject)).toBe(valid);
  });

  const since = subjectsSinceThisTest();
  it.skipIf(since === null)('has commit subjects that are imperative and have at most 72 characters', () => {
    expect((since ?? []).filter((subject) => !isSubject(subject) && !published.has(subject))).toEqual([]);
  });
});

/** The words of a kind of text, and each phrase in it with its place. */
function countPhrases({ files, except }: TextKind): { readonly words: number; readonly found: readonly string[] } {
  const names = globSync([...files], { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !generated.test(file) && !except?.test(file))
    .sort();
  const texts = names.map((file) => ({ file, text: proseOf(file, readFileSync(path.join(root, file), 'utf8')) }));
  return {
    words: texts.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
    found: texts.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => phrasesIn(line).map((phrase) => `${file}: "${phrase}" in: ${line.trim()}`)),
    ),
  };
}

const phrasesIn = (text: string): string[] =>
  Object.values(phrases).flatMap((phrase) =>
    [...text.matchAll(phrase)].map(([found]) => found.replace(/^[.,;:] /, '')),
  );

/** Markdown without code, addresses and rows of figures; of source code the comments and the texts of several words. */
function proseOf(file: string, source: string): string {
  if (file.endsWith('.md'))
    return source
      .replace(/```[\s\S]*?```/g, '')
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/`[^`\n]*`/g, '')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/^\|[\s\d.,|x%<>-]*\|$/gm, '');
  const hash = file.endsWith('.py') ? /(?:^|\s)# ?(.*)$/gm : null;
  const comments = [
    ...source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ ?(.*)$/gm),
    ...(hash ? source.matchAll(hash) : []),
  ];
  const texts = [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){25,})\1/g)].map(([, , text = '']) => text);
  return [
    ...comments.map(([, block, line = '']) => (block ?? line).replace(/^\s*\* ?/gm, '')),
    ...texts.filter((text) => text.split(' ').length > 4),
  ].join('\n');
}

/** Verbs whose base form ends like a past tense, a gerund or a third person. */
const baseForms =
  /^(Need|Feed|Embed|Shed|Speed|Exceed|Proceed|Seed|Bring|Ring|String|Pass|Process|Access|Address|Compress|Discuss|Express|Focus|Press|Suppress|Bypass|Cross|Guess|Assess|Alias|Bias|Canvass|Dismiss|Miss)$/;

/** Subjects that others had built on before anybody noticed that they are too long. */
const published = new Set(['Find NaN without a pattern, and prove the patterns of headers and origins', 'x']);

function isSubject(subject: string): boolean {
  const [verb = ''] = subject.split(' ');
  if (!/^[A-Z][a-z-]+$/.test(verb) || subject.length > 72 || subject.endsWith('.')) return false;
  return baseForms.test(verb) || !/(ed|ing|s)$/.test(verb);
}

/** Subjects of the commits that descend from the one that added this test: branches from before are exempt. Null outside of a git checkout with that commit. */
function subjectsSinceThisTest(): string[] | null {
  if (!existsSync(path.join(root, '.git'))) return null;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const own = path.relative(root, import.meta.filename).replaceAll(path.sep, '/');
    const added = git('log', '--diff-filter=A', '--format=%H', '--', own).split('\n').at(-1);
    return added
      ? git('log', '--no-merges', '--ancestry-path', '--format=%s', `${added}..HEAD`).split('\n').filter(Boolean)
      : null;
  } catch {
    // No git on this machine: nothing to check.
    return null;
  }
}
