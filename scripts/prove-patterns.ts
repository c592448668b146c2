import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';

// Proves that each regular expression of the sources takes time in proportion to its text, and lists it: a minute or
// more, so that the test only compares with the list.

const root = path.join(import.meta.dirname, '..');
const folders = ['shared', 'functions', 'lib', 'local', 'cli', 'sdk', 'web/src'];
/** Built of names that are escaped, in the browser of who looks at them. */
const ofNames = ['web/src/lineage/sql-statement.tsx'];

/** What repeats without end; a pattern that does not takes time in proportion to the text. */
const repeats = /[*+]|\{\d+,\}/;

/** The regular expressions of the sources that repeat something without end, each once: `/source/flags`. */
export async function repeatingPatterns(): Promise<string[]> {
  const files = folders.flatMap((folder) => sourcesIn(folder));
  const found = files.map((file) => ({ file, ...expressionsIn(file) }));
  const building = found.filter(({ file, builds }) => builds && !ofNames.includes(file)).map(({ file }) => file);
  const patterns = [...found.flatMap(({ literals }) => literals), ...(await builtBy(building))];
  return [...new Set(patterns.filter((pattern) => repeats.test(pattern)))].toSorted();
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|tsx|js|mjs)$/.test(file) && !/\.d\.ts$|node_modules|^dist\//.test(file))
    .map((file) => path.join(folder, file));

function expressionsIn(file: string): { readonly literals: string[]; readonly builds: boolean } {
  const literals: string[] = [];
  let builds = false;
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  JSON.stringify(program, (_key, node: unknown) => {
    const { regex, callee } = (node ?? {}) as { regex?: Written; callee?: { name?: string } };
    if (regex) literals.push(`/${regex.pattern}/${regex.flags}`);
    if (callee?.name === 'RegExp') builds = true;
    return typeof node === 'bigint' ? String(node) : node;
  });
  return { literals, builds };
}

type Written = { readonly pattern: string; readonly flags: string };

/** What modules build of texts, all of it when they are loaded. */
async function builtBy(files: readonly string[]): Promise<string[]> {
  const built: string[] = [];
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct: (target, [source, flags = '']: [string, string?]) => {
      built.push(String(new target(source, flags)));
      return new target(source, flags);
    },
  });
  try {
    for (const file of files) await import(pathToFileURL(path.join(root, file)).href);
  } finally {
    globalThis.RegExp = native;
  }
  return built;
}

/** Writes the list of proven patterns, and returns the other ones. */
async function provePatterns(): Promise<readonly string[]> {
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const isLinear = (pattern: string): boolean => {
    const end = pattern.lastIndexOf('/');
    const options = { checker: 'automaton', timeout: 120_000 } as const;
    return checkSync(pattern.slice(1, end), pattern.slice(end + 1), options).status === 'safe';
  };
  const list = path.join(root, 'test', 'architecture', 'linear-patterns.txt');
  const proven = new Set(readFileSync(list, 'utf8').split('\n'));
  const patterns = await repeatingPatterns();
  const refused = patterns.filter((pattern) => !proven.has(pattern) && !isLinear(pattern));
  writeFileSync(list, `${patterns.filter((pattern) => !refused.includes(pattern)).join('\n')}\n`);
  return refused;
}

if (import.meta.main) {
  const refused = await provePatterns();
  for (const pattern of refused) console.error(`not proven to take linear time: ${pattern}`);
  if (refused.length > 0) process.exitCode = 1;
}
