import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const slashed = (file: string): string => file.split(path.sep).join('/');
const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).map(slashed);
const sources = find('{bin,lib,functions,shared,local,cli,scripts,web/src}/**/*.{ts,tsx,mjs}').filter(
  (file) => !file.includes('generated'),
);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const lines = (file: string): number => read(file).split('\n').length - 1;

const longest = 300;
const tiny = 15;

/** Files that may be longer than a chapter, with the reason. */
const long: Readonly<Record<string, string>> = {
  'web/src/texts.ts':
    'All texts of the explorer are in one file, so that a translator or reviewer can read them at once.',
};

/** Tiny files that stay, with the reason. An entry point is always allowed. */
const small: Readonly<Record<string, string>> = {
  'cli/diff/markdown.ts': 'Loaded only for `--format markdown`.',
  'cli/duckdb.ts': 'Two commands load it, each only if it needs DuckDB.',
  'cli/version.ts': 'The release script writes it.',
  'lib/acknowledge.ts': 'Six constructs share it.',
  'lib/source-digest.ts': 'The bundles, the site and the local template share it.',
  'local/emulators/access-keys.ts': 'The guard and the emulators share it.',
  'local/listen.ts': 'Five servers share it.',
  'scripts/first-account/unsettled.ts': 'A rule with its own test.',
  'shared/adapters/dynamodb/requests/table.ts': 'A type that nearly all adapters import.',
  'shared/domain/lineage/names/claim-command.ts': 'Gaps and the command line share the command.',
  'shared/domain/lineage/sources/normalizer.ts': 'The version of the rules, which a change of the rules raises.',
  'shared/domain/workspaces/access/diagnosis/ports.ts': 'Adapters implement it; in the diagnosis it would be a circle.',
  'shared/runtime/composition/tables.ts': 'Eleven compositions share it.',
  'shared/runtime/logger.ts': 'All functions share it.',
  'web/src/parts/save.ts': 'Loaded only when a picture is saved.',
  'web/src/parts/split-list.ts': 'Three forms share it.',
  'web/src/run/provider-names.ts': 'Two pages share it.',
  'web/src/settings.ts': 'It reads the document, so that tests of components do not load it.',
  'web/src/shell/no-page.tsx': 'The page for unknown addresses.',
};

/** Files that only a neighbour imports and that stay, with the reason. */
const apart: Readonly<Record<string, string>> = {
  'cli/admin/canary.ts': 'Loaded only by `admin canary`.',
  'cli/admin/scopes.ts': 'Loaded only by `admin scopes`.',
  'lib/buckets.ts': 'Both have a helper of one name.',
  'lib/build-site.ts': 'The build of the site, which imports Vite.',
  'lib/bundle-plugins.ts': 'It is read by its path when functions are bundled.',
  'scripts/release/bundle.mjs': 'The bundler, which knows nothing of what is released.',
  'shared/contract/api/openapi-refusals.ts': 'The refusals of every operation.',
  'shared/domain/base/json/byte-buffer.ts': 'It needs the global `Buffer`; the cutter imports its type.',
};

/** Entry points: the runtime, a bundler, a thread or a person loads them by their path. */
const isEntry = (file: string): boolean =>
  /^functions\/[^/]+\/handler\.ts$|-thread\.ts$|^(bin|scripts|sdk)\/[^/]+$|^cli\/(tributary|events)\.ts$|^local\/(main|start)\.ts$|^scripts\/release\/(bin|local-command)\.mjs$|^web\/src\/main\.tsx$/.test(
    file,
  );

describe('the shape of the sources', () => {
  it('has no file that is longer than a chapter', () => {
    expect(sources.filter((file) => lines(file) > longest && !(file in long))).toEqual([]);
  });

  it('has no tiny file without a reason', () => {
    expect(sources.filter((file) => lines(file) <= tiny && !isEntry(file) && !(file in small))).toEqual([]);
  });

  it('has no file that only its neighbour imports, unless both together are too long or it has its own test', () => {
    expect(loneFiles().filter((file) => !(file in apart))).toEqual([]);
  });

  it('lists only exceptions that are still needed', () => {
    const lone = loneFiles();
    expect(Object.keys(long).filter((file) => lines(file) <= longest)).toEqual([]);
    expect(Object.keys(small).filter((file) => !sources.includes(file) || lines(file) > tiny)).toEqual([]);
    expect(Object.keys(apart).filter((file) => !lone.includes(file))).toEqual([]);
  });

  it('spells keys of the tables in the files of keys only', () => {
    const spelling = sources.filter((file) => /`(W|DUE|USER|SECRET)#/.test(read(file)));
    expect(spelling.filter((file) => !file.startsWith('shared/adapters/dynamodb/keys/'))).toEqual([]);
  });

  it('has no default exports and no catch-all names', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    expect(sources.filter((file) => /(utils?|helpers?|manager)\.ts$/.test(file))).toEqual([]);
  });
});

/** Files that one file of the same folder imports and no other, and that would fit into it. */
function loneFiles(): string[] {
  const importers = new Map<string, string[]>();
  for (const file of [...sources, ...find('{test,bench}/**/*.{ts,tsx,mjs}')])
    for (const [, specifier = ''] of read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = slashed(path.join(path.dirname(file), specifier));
      const known = sources.find((each) => each === target || each.replace(/\.tsx?$/, '') === target);
      if (known) importers.set(known, [...new Set([...(importers.get(known) ?? []), file])]);
    }
  return sources.filter((file) => {
    const all = importers.get(file) ?? [];
    const [only, ...others] = all.filter((each) => sources.includes(each));
    // A handler reads its environment when it is loaded, so tests load what it imports.
    if (!only || others.length > 0 || isEntry(file) || isEntry(only)) return false;
    if (path.dirname(only) !== path.dirname(file)) return false;
    const name = path.basename(file).replace(/\.tsx?$/, '');
    const tested = all.some((each) => path.basename(each).startsWith(`${name}.test`));
    return !tested && lines(file) + lines(only) <= longest;
  });
}
