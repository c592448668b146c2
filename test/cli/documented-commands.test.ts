import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { run } from '../../cli/program.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const documents = globSync(
  [
    '*.md',
    'cli/SKILL.md',
    '{cli,sdk,scripts,exporters/*}/README.md',
    'docs/*.md',
    'examples/*.yml',
    '.github/**/*.{md,yml}',
  ],
  { cwd: root },
);

/** The command lines of a document: blocks of code, and what is in backquotes. */
function commandsOf(document: string): readonly (readonly string[])[] {
  const markdown = readFileSync(path.join(root, document), 'utf8');
  const lines = [
    ...markdown.matchAll(/(?:^ {4,12}|^|`)(?:npm run (?:--silent )?tributary --|tributary) ([a-z][^`\n]*)/gm),
  ];
  return lines.map(([, line = '']) =>
    line
      .replace(/\s+#.*$/, '')
      .trim()
      .split(/\s+/),
  );
}

async function help(words: readonly string[]) {
  const [output, messages] = [new PassThrough(), new PassThrough()];
  const printed = [text(output), text(messages)] as const;
  const terminal = { input: new PassThrough(), output, messages, env: {}, folder: root };
  const code = await run([...words, '--help'], terminal);
  output.end();
  messages.end();
  return { code, printed: (await Promise.all(printed)).join('') };
}

const documented = documents.flatMap((document) =>
  commandsOf(document).map((words) => [words.join(' '), words] as const),
);

it('finds the commands that the documents name', () => {
  expect(documented.length).toBeGreaterThan(20);
});

it.each([...new Map(documented)])('knows `tributary %s` and its options', async (_, words) => {
  const options = words.filter((word) => word.startsWith('--') && word !== '--help');
  const first = words.findIndex((word) => word.startsWith('-'));
  const own = await help(first < 0 ? words : words.slice(0, first));
  const groups = await Promise.all([help([]), help(words.slice(0, 1))]);
  expect(own.code, own.printed).toBe(0);
  const texts = [own, ...groups].map(({ printed }) => printed);
  expect(options.filter((option) => !texts.some((one) => one.includes(option)))).toEqual([]);
});
