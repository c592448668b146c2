import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { dependencies } = v.parse(
  v.object({ dependencies: v.record(v.string(), v.string()) }),
  JSON.parse(read('package.json')),
);

/** What runs of itself in a clone; `bin/app.ts` is what deploys. */
const entries = globSync(
  ['local/{main,start}.ts', '{cli,local}/**/*-thread.ts', 'cli/{tributary,events}.ts', 'functions/*/handler.ts'],
  {
    cwd: root,
  },
);
const pages = globSync('web/{src/**/,}*.{ts,tsx}', { cwd: root });

/** Is loaded where the CDK is installed, and not otherwise. */
const developing = 'local/synthesize.ts';

const statement = /^(?:import|export) (?!type )[^'"`;]*?from '([^'\n]*)';$/gm;
const effect = /^import '([^'\n]*)';$/gm;
const expression = /\bimport\('([a-z@.][^'\n]*)'\)/g;

/** What a source loads; types are gone when it runs. */
const loadedBy = (file: string): string[] =>
  [statement, effect, expression].flatMap((form) => Array.from(read(file).matchAll(form), ([, name = '']) => name));

/** The sources of the project that these load, themselves among them. */
function reachable(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found)
    for (const name of loadedBy(file)) {
      const source = name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : null;
      if (source?.endsWith('.ts') && source !== developing) found.add(source);
    }
  return [...found];
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const packagesOf = (files: readonly string[]): Set<string> =>
  new Set(
    files
      .flatMap(loadedBy)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
      .map(packageOf),
  );

it('installs at a first start what the service loads, and what the explorer is built of, without what develops it', () => {
  const packages = packagesOf([...reachable(entries), ...pages]);
  expect(packages.size).toBeGreaterThan(30);
  // Vite is run by its path.
  expect(['vite', ...packages].filter((name) => !(name in dependencies))).toEqual([]);
});

it('starts without the CDK: the template is recorded, and synthesized if the CDK is installed for development', () => {
  expect(existsSync(path.join(root, developing))).toBe(true);
  expect(loadedBy('local/template/current.ts')).toContain(`../${path.posix.basename(developing)}`);
  expect(packagesOf([developing])).toContain('aws-cdk-lib');
  expect(dependencies).not.toHaveProperty('aws-cdk-lib');
});
