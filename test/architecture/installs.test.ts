import { globSync, readFileSync } from 'node:fs';
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

/** What a first start loads or builds; `bin/app.ts` is what deploys. */
const running = globSync('{lib,local,shared,functions,cli}/**/*.ts', { cwd: root });
const pages = globSync('web/{src/**/,}*.{ts,tsx}', { cwd: root });

const statement = /^(?:import|export) (?!type )[^'"`;]*?from '([^.'][^'\n]*)';$/gm;
const expression = /\bimport\('([a-z@][^'\n]*)'\)/g;

/** Packages that a source loads; types are gone when it runs. */
function packagesOf(file: string): string[] {
  const text = read(file);
  const names = [statement, expression].flatMap((form) => Array.from(text.matchAll(form), ([, name = '']) => name));
  return names.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
}

it('installs at a first start what the service loads, and what the explorer is built of, without what develops it', () => {
  const packages = new Set([...running, ...pages].flatMap(packagesOf).filter((name) => !isBuiltin(name)));
  expect(packages.size).toBeGreaterThan(30);
  // Vite is run by its path.
  expect(['vite', ...packages].filter((name) => !(name in dependencies))).toEqual([]);
});
