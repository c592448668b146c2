import { expect } from 'vitest';
import { commandLine } from './command-line.ts';

/** What differs between two runs. */
const masks: readonly (readonly [what: RegExp, name: string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, 'TIME'],
  [/\bd[psw][tk]_[\w-]{30,}/g, 'SECRET'],
  [/\b[\da-f]{40,64}\b/g, 'DIGEST'],
  [/(?<="schema_age_seconds": )\d+/g, 'SECONDS'],
  [/(?<="next_cursor": ")[\w-]+/g, 'CURSOR'],
  [/(?<=ws_\d+ {2})[\w-]{16,22}(?= {2})/g, 'ID'],
];
const ids = /\b[a-z]{2,4}_(?=[\w-]*[A-Z\d])[\w-]{16,22}(?![\w-])|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/**
 * Masks what differs between two runs. Ids are numbered from the first one that appears.
 * @param words what else differs between runs, and the word for it
 */
export function maskOf(words: Readonly<Record<string, string>>): (text: string) => string {
  const numbered = new Map<string, string>();
  function numberOf(id: string): string {
    const kind = /^[a-z]+(?=_)/.exec(id)?.[0] ?? 'id';
    const alike = [...numbered.values()].filter((one) => one.startsWith(`${kind}_`)).length;
    if (!numbered.has(id)) numbered.set(id, `${kind}_${alike + 1}`);
    return numbered.get(id) ?? id;
  }
  return (text) => {
    const stable = text.replace(/\{"[^{}]*\}/g, inOrder);
    const plain = Object.entries(words).reduce((all, [what, word]) => all.replaceAll(what, word), stable);
    return masks.reduce((all, [what, word]) => all.replace(what, word), plain.replace(ids, numberOf)).trimEnd();
  };
}

/**
 * Runs command lines, and writes down what each prints and how it exits. `name = command` remembers the first id of the
 * output, and `{name}` in later lines is replaced by it. `sorted command` is one whose lines come in no particular order;
 * `until WORD command` is repeated until it prints the word.
 */
export function transcriptOf(
  surroundings: Parameters<typeof commandLine>[1],
  masked: (text: string) => string,
  credentials: string,
) {
  const remembered = new Map<string, string>();

  async function run(typed: string): Promise<string> {
    const [, name, isSorted, word, line = ''] = /^(?:(\w+) = )?(sorted )?(?:until (\w+) )?(.*)$/.exec(typed) ?? [];
    const filled = line.replace(/\{(\w+)\}/g, (_, one) => remembered.get(one) ?? '');
    const args = Array.from(filled.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = '']) => quoted ?? plain);
    const execute = () => commandLine([...args, '--credentials', credentials], surroundings);
    if (word) await expect.poll(async () => (await execute()).output, { timeout: 60_000 }).toContain(word);
    const { code, output, messages } = await execute();
    if (name) remembered.set(name, output.match(ids)?.[0] ?? '');
    const lines = masked(output).split('\n');
    const text = (isSorted ? lines.sort() : lines).join('\n').trim();
    const said = masked(messages).replace(/^(?=.)/gm, '! ');
    return [`$ tributary ${typed}`, text, said, `→ ${code}`, ''].filter((part, n) => part !== '' || n === 4).join('\n');
  }

  return async (lines: string): Promise<string> => {
    const texts: string[] = [];
    for (const line of lines.split('\n').map((one) => one.trim())) if (line !== '') texts.push(await run(line));
    return texts.join('\n');
  };
}

/** A small object with its fields in order: a store returns the fields of a map in any. */
const inOrder = (json: string): string => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).sort()));
