import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');

/** A block of commands of a document, and the answer that the document shows below it. */
export type DocumentStep = {
  readonly line: number;
  readonly commands: string;
  readonly answer: { readonly kind: 'json' | 'text'; readonly text: string } | null;
};

/** The blocks of a Markdown document that are fenced as `sh`; a block of `json` or `text` after one is its answer. */
export function stepsOf(file: string): readonly DocumentStep[] {
  const markdown = readFileSync(path.join(root, file), 'utf8');
  const fences = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: kind = '', 2: text = '', index }) => ({
    kind,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }));
  return fences.flatMap(({ kind, text, line }, i) => {
    if (kind !== 'sh') return [];
    return [{ line, commands: text, answer: answerOf(fences[i + 1]) }];
  });
}

function answerOf(fence: { readonly kind: string; readonly text: string } | undefined): DocumentStep['answer'] {
  const kind = fence?.kind;
  return fence && (kind === 'json' || kind === 'text') ? { kind, text: fence.text } : null;
}

/** What stands between the answers of two steps. */
const mark = '\u001e';

/**
 * Runs the steps of a document one after the other, in one shell, so that variables last; `tributary` is the command of
 * this checkout. Throws at the first command that fails, with its output.
 *
 * @returns what each step printed to standard output
 */
export async function runSteps(
  steps: readonly DocumentStep[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<readonly string[]> {
  const command = `tributary() { '${process.execPath}' '${path.join(root, 'cli', 'tributary.ts')}' "$@"; }`;
  const statement = steps.map(({ line, commands }) => `echo "line ${line}" >&2\n${commands}\nprintf '${mark}'`);
  const script = ['set -eu', command, ...statement].join('\n');
  const settings = {
    cwd: folder,
    env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, ...env },
    maxBuffer: 2 ** 26,
  };
  const printed = await new Promise<string>((resolve, reject) => {
    execFile('sh', ['-c', script], settings, (error, stdout, stderr) =>
      error ? reject(new Error(`${stderr.slice(-2_000)}\n${stdout.split(mark).at(-1)}`)) : resolve(stdout),
    );
  });
  return printed.split(mark).slice(0, -1);
}

/**
 * How the shape of an answer differs from the one that a document shows: other fields, other types, an empty list where
 * items are shown. One item that has the shape is enough, since lists have no order of shapes; `null` represents what may be left out.
 */
export function shapeDifferences(shown: unknown, real: unknown, place = ''): readonly string[] {
  if (shown === null || real === null) return real === null && shown !== null ? [`${place} is null`] : [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${place} is no list`];
    if (shown.length > 0 && real.length === 0) return [`${place} is empty`];
    const [differences = []] = real
      .map((item) => shown.flatMap((one, i) => shapeDifferences(one, item, `${place}/${i}`)))
      .sort((a, b) => a.length - b.length);
    return differences;
  }
  if (typeof shown !== 'object' || typeof real !== 'object')
    return typeof shown === typeof real ? [] : [`${place} is ${typeof real}, not ${typeof shown}`];
  const names = new Set([...Object.keys(shown), ...Object.keys(real)]);
  const [fields, answered] = [new Map(Object.entries(shown)), new Map(Object.entries(real))];
  return [...names].flatMap((name) => {
    if (!fields.has(name)) return [`${place}/${name} is not shown`];
    if (!answered.has(name)) return [`${place}/${name} is not answered`];
    return shapeDifferences(fields.get(name), answered.get(name), `${place}/${name}`);
  });
}
